"""The stored modules and descriptions are up to date. `make wasm-check` also builds the modules again and compares the bytes."""

import gzip
import json
import shutil
import subprocess

import pytest

from shoverworld.games.race import rules
from shoverworld.web.compiler.fingerprint import fingerprint
from shoverworld.web.compiler.linker import LinkerMissing, wasm_ld
from shoverworld.web.description import web_of
from shoverworld.web.files import STATIC, data_files, module_bytes, stored, web_games
from tests.web.test_modules import environment

GAMES = [game.name for game in web_games()]
REMEDY = "run `make wasm`"


def test_every_built_in_game_has_a_module():
    assert GAMES == ["shover", "sokoban", "race"]


@pytest.mark.parametrize(("name", "text"), data_files().items())
def test_descriptions_are_up_to_date(name, text):
    assert (STATIC / name).read_text("utf-8") == text, REMEDY


@pytest.mark.parametrize("game", web_games(), ids=GAMES)
def test_the_modules_were_built_from_the_current_sources(game):
    assert stored("build.json")["fingerprints"][game.name] == fingerprint(web_of(game).all_functions()), REMEDY


def test_a_fingerprint_covers_called_functions_and_constants(monkeypatch):
    """A change to a number in the rules changes the fingerprint; a change to another game does not."""
    prints = {game.name: fingerprint(web_of(game).all_functions()) for game in web_games()}
    monkeypatch.setattr(rules, "FINE", 9)
    changed = {game.name: fingerprint(web_of(game).all_functions()) for game in web_games()}
    assert [name for name in prints if changed[name] != prints[name]] == ["race"]


def test_the_error_for_a_missing_linker_names_the_packages_to_install(monkeypatch):
    monkeypatch.setattr("shoverworld.web.compiler.linker.shutil.which", lambda name: None)
    monkeypatch.setattr("shoverworld.web.compiler.linker.find_spec", lambda name: None)
    with pytest.raises(LinkerMissing, match=r"lld.*ziglang"):
        wasm_ld()


def test_levels_contain_the_name_of_a_preset_and_the_best_known_result():
    [first, *_] = stored("shover-lessons.json")
    assert first["preset"] in [preset["name"] for preset in stored("shover.json")["presets"]]
    assert first["best"][first["preset"]]["proved"]


NODE = """
import { readFileSync } from "node:fs";
const game = process.argv[2], folder = process.argv[3];
const read = name => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const about = read(`${game}.json`), { header } = read("index.json");
const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/${game}.wasm`), {});
const { memory, __heap_base, ...run } = instance.exports;
const block = Math.ceil(__heap_base.value / 8) * 8;
const preset = about.presets[0];
memory.grow(1);
const words = new Int32Array(memory.buffer, block, about.header_bytes / 4);
about.dimensions.forEach((name, k) => { words[header.dimensions + k] = preset.dimensions[name]; });
const missing = block + run.layout(block) - memory.buffer.byteLength;
if (missing > 0) memory.grow(Math.ceil(missing / 65536));
const view = new DataView(memory.buffer);
const head = new Int32Array(memory.buffer, block, about.header_bytes / 4);
const first = header.dimensions + about.dimensions.length;
const place = Object.fromEntries(about.arrays.map(([name], k) => [name, block + head[first + 2 * k]]));
const put = { b1: "setInt8", i1: "setInt8", i2: "setInt16", i4: "setInt32", f8: "setFloat64" };
for (const [array, numbers] of Object.entries(preset.arrays).filter(([array]) => array in about.records))
  for (const [name, kind, offset] of about.records[array].fields)
    if (kind === "i8") view.setBigInt64(place[array] + offset, BigInt(numbers[name]), true);
    else view[put[kind]](place[array] + offset, Number(numbers[name]), true);
view.setUint32(place.seed, 7, true);
run.seed(block, 1);
run[run.generate ? "generate" : "reset"](block);
run.state_hash(block);
console.log(Buffer.from(memory.buffer, place.hash, 8).toString("hex"));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("game", ["shover", "sokoban"])
def test_node_loads_a_module_without_imports_and_starts_the_same_game(tmp_path, game):
    script = tmp_path / "play.mjs"
    script.write_text(NODE)
    run = subprocess.run(["node", script, game, str(STATIC)], capture_output=True, text=True, check=True)
    env = environment(game, stored(f"{game}.json")["presets"][0]["name"])
    env.reset(seed=7)
    assert run.stdout.strip() == env.state_hash()


def test_the_files_are_small():
    """A page with one game must stay below 250 KB, pictures included."""
    for game in GAMES:
        assert len(module_bytes(game)) < 150_000
        assert len(gzip.compress(module_bytes(game))) < 60_000
        assert len(json.dumps(stored(f"{game}.json"))) < 25_000

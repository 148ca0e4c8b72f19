"""Measure steps per second of the WebAssembly modules, in wasmtime and in Node, against the native kernels.

    python benchmarks/wasm.py [STEPS]

Both runtimes and the native kernel play the same random actions from the same start in one run, without hashing. The
games have practically no step limit, so that one call plays many steps. The native kernel is Numba's code for this
machine.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from shoverworld.core.jit import kernel  # noqa: E402
from shoverworld.games import game_named  # noqa: E402
from shoverworld.games.race import rules as race_rules  # noqa: E402
from shoverworld.games.shover import rules as shover_rules  # noqa: E402
from shoverworld.games.sokoban import rules as sokoban_rules  # noqa: E402
from shoverworld.web.files import STATIC, stored  # noqa: E402
from tests.web.host import BlockView, Module, level_game  # noqa: E402

BATCH = 100_000  # actions per call
ENDLESS = 10**9
STEPS = 3_000_000  # per measurement
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {  # the level that is played, and the rules that are changed
    "shover": ("lessons", 15, {"max_timestep": ENDLESS, "initial_stamina": float(ENDLESS)}),
    "sokoban": ("medium", 0, {"max_steps": ENDLESS}),
    "race": ("tracks", 4, {"max_rounds": ENDLESS}),
}


@kernel
def play_shover(state, rules, actions):
    for k in range(len(actions)):
        if state.game[0].outcome != 0:
            return k
        shover_rules.step(state, 0, rules, actions[k, 0], actions[k, 1], actions[k, 2])
    return len(actions)


@kernel
def play_sokoban(state, rules, actions):
    for k in range(len(actions)):
        if state.game[0].outcome != 0:
            return k
        sokoban_rules.step(state, 0, rules, actions[k, 0])
    return len(actions)


@kernel
def play_race(state, rules, actions):
    for k in range(len(actions)):
        if state.game[0].outcome != 0:
            return k
        race_rules.step(state, 0, rules, actions[k, 0])
    return len(actions)


NATIVE: dict[str, Any] = {"shover": play_shover, "sokoban": play_sokoban, "race": play_race}
NODE = """
import { readFileSync } from "node:fs";
const [module, image, place, base, kept, batches, batch] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, play_many } = instance.exports, bytes = readFileSync(image);
memory.grow(Math.ceil(Math.max(0, bytes.length - memory.buffer.byteLength) / 65536));
new Uint8Array(memory.buffer).set(bytes);
const block = Number(base), actions = Number(place), all = new Uint8Array(memory.buffer);
const start = all.slice(block, block + Number(kept));
const run = count => {
  let done = 0;
  for (let k = 0; k < count; k++) { all.set(start, block); done += play_many(block, actions, Number(batch), 0); }
  return done;
};
run(Number(batches) / 10);
const began = performance.now(), done = run(Number(batches));
console.log(done / (performance.now() - began) * 1000);
"""


def actions_of(env: Any) -> np.ndarray:
    space, rng = env.action_space, np.random.default_rng(1)
    sizes, first = (space.nvec, space.start) if hasattr(space, "nvec") else ([space.n], [space.start])
    return np.stack([rng.integers(low, low + size, BATCH) for low, size in zip(first, sizes, strict=True)], axis=1)


def native_speed(game: str, env: Any, actions: np.ndarray, batches: int) -> float:
    start, numbers = env.get_state(), env.rules.numbers()
    state = start.copy()
    NATIVE[game](state, numbers, actions)
    done, began = 0, time.perf_counter()
    for _ in range(batches):
        start.copy_to(state)
        done += NATIVE[game](state, numbers, actions)
    return done / (time.perf_counter() - began)


def wasmtime_speed(block: BlockView, actions: int, batches: int) -> float:
    kept = block.module.bytes_at(block.address, block.kept)
    start = kept.copy()
    done, began = 0, time.perf_counter()
    for _ in range(batches):
        kept[:] = start
        done += block.call("play_many", actions, BATCH, 0)
    kept[:] = start
    return done / (time.perf_counter() - began)


def node_speed(game: str, block: BlockView, actions: int, batches: int) -> float | None:
    if shutil.which("node") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        script, image = Path(folder, "play.mjs"), Path(folder, "memory")
        script.write_text(NODE)
        module = block.module
        image.write_bytes(module.bytes_at(0, module.memory.data_len(module.store)).tobytes())
        numbers = (actions, block.address, block.kept, batches, BATCH)
        command = ["node", script, str(STATIC / f"{game}.wasm"), image, *map(str, numbers)]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def speeds(steps: int) -> Iterator[tuple[str, float, float, float | None]]:
    """For each game, return its title and the steps per second of the native kernel, of wasmtime and of Node, if installed."""
    for game, (collection, number, changes) in GAMES.items():
        described: Any = game_named(game)
        level = stored(f"{game}-{collection}.json")[number]
        board = described.levels.boards(collection)[number]
        rules = described.preset_rules[board.preset].change(**changes)
        env = described.env(rules=rules)
        env.reset(seed=1, options=described.levels.options(board))
        block = level_game(Module(game), board.preset, level)
        block["rules"][0] = tuple(rules.numbers())
        block.seed(1)
        block.call("reset")
        actions = actions_of(env)
        address = block.module.reserve(4 * actions.size)
        block.module.bytes_at(address, 4 * actions.size).view("<i4")[:] = actions.reshape(-1)
        trial = block.module.bytes_at(block.address, block.kept).copy()
        each = max(1, block.call("play_many", address, BATCH, 0))
        block.module.bytes_at(block.address, block.kept)[:] = trial
        batches = max(10, steps // each)
        node = node_speed(game, block, address, batches)
        native = native_speed(game, env, actions, batches)
        yield described.title, native, wasmtime_speed(block, address, batches), node


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    print(f"{'million steps/s':<18}{'native':>9}{'wasmtime':>10}{'Node':>8}")
    for title, native, wasmtime, node in speeds(steps):
        print(f"{title:<18}{native / 1e6:>9.1f}{wasmtime / 1e6:>10.1f}{(node or 0) / 1e6:>8.1f}")


if __name__ == "__main__":
    main()

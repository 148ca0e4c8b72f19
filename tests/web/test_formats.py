"""The readers and writers in the WebAssembly modules agree with Python's: the same levels, texts, rules and errors."""

import base64
import dataclasses
import itertools
import random
from typing import Any

import numpy as np
import pytest

from shoverworld import Map
from shoverworld.core.errors import ConfigError, LevelError, MapError, TrackError
from shoverworld.core.rules_text import describe_rules, parse_rules, rules_text
from shoverworld.core.sheet_reader import Problem
from shoverworld.games import game_named
from shoverworld.games.race import symbols
from shoverworld.games.race.tracks import STYLES, Track
from shoverworld.games.sokoban import formats as sokoban_formats
from shoverworld.games.sokoban.formats import levels_text, parse_levels
from shoverworld.games.sokoban.lurd import LONGEST
from shoverworld.games.sokoban.ui import notation
from shoverworld.web.files import module_bytes, stored, web_games
from tests.paths import ROOT
from tests.web.node import needs_node, run_node
from tests.web.reading import Formats, ReadLevel

GAMES = [game.name for game in web_games()]
DATA = ROOT.parent / "shared" / "data"


def presets_of(game: str) -> Any:
    return game_named(game).preset_rules


# --- Rules

RULE_TEXTS = {
    "shover": [
        "phase2", "phase2, initial_force=30", "walker initial_force = 2.5  noop=no", "initial_force=30", "",
        "phase2,push_pays_step_cost=true,max_timestep=1e3", "unit_force=1, unit_force=2", "reward.lava=none",
        "phase", "phase2, initial_forse=3", "phase2, hellify=hole", "phase2, initial_force=much",
        "phase2, initial_force=-1", "phase2, initial_force=nan", "phase2, max_timestep=2.5", "phase2, noop=maybe",
        "phase2, reward.lave=1", "phase2, reward.lava=x", "phase2, reward=1", "phase2, n_rows=4", "phase2, initial_force",
        "phase2, =3", "phase2 noop=1", "initial_stamina=0", "phase2, reward.lava=True", "max_timestep=+1_000",
        "max_timestep=1__0", "unit_force=.5", "unit_force=1.", "unit_force=.", "unit_force=-inf", "unit_force=Infinity",
        "unit_force=1e400", "unit_force=-1e-5", "max_timestep=9999999999", "z_base=-0", "hellify=3", "hellify=off",
        "noop=0.0", "noop=none", "actor=ẅalk", "'\"=3", "phase2 a=b=c", "perf_sq_initial_age=1e3", "unit_force=١",
        "milestone1, unit_force=0.1, reward.lava=1", "unit_force=123456789.123456789", "step_cost=1e-7, unit_force=1e22",
        "x" * 200, "hellify=" + "x" * 200, "\x00=1", "\u2003phase2\u3000edge\u2003=\u2003wall", "unit_force=-0.0",
    ],
    "sokoban": ["pull, moves=four", "two", "players=2", "moves=for", "max_steps=0", "num_boxes=3", "dim_room=3", "pul"],
    "race": ["cross, penalty=3", "cars=3", "line=landing", "finish=crass", "max_rounds=0", "reward.step=-2", "penalti=3"],
}  # fmt: skip


def check_rules(formats: Formats, game: Any, text: str, preset: str | None = None) -> bool:
    """Compare the rules that both readers find in a text. Return whether the text is valid."""
    web, presets = game.web, game.preset_rules
    found = formats.rules(text, preset)
    try:
        named = any(text.split()[:1] == [name] or text.startswith(f"{name},") for name in presets)
        rules = parse_rules(text if named or preset is None else f"{preset}, {text}", presets)
    except ConfigError as error:
        assert isinstance(found, Problem), (text, str(error))
        assert found.what == str(error)
        return False
    assert not isinstance(found, Problem), (text, found.what)
    np.testing.assert_array_equal(found["rule_values"], web.rules.values(rules), text)
    for name, numbers in (("rules", rules.numbers()), ("reward", rules.reward_numbers())):
        assert {field: found[name][0][field].item() for field in numbers._fields} == numbers._asdict()
    described = web.preset(describe_rules(rules, presets))
    numbers = len(formats.module.description["action"])
    assert found["action_ranges"].tolist() == [*described.actions, *described.first_action][: 2 * numbers]
    for field, number in described.arrays["start"].items():
        if field in ("frame", "fixed"):
            assert found["start"][0][field] == number
    assert formats.written(found, "write_rules") == describe_rules(rules, presets)
    return True


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_read_and_written_as_in_python(game):
    formats, described = Formats(game), game_named(game)
    texts = [*RULE_TEXTS[game], *(preset.name for preset in described.presets)]
    valid = [check_rules(formats, described, text) for text in texts]
    assert any(valid) and not all(valid)


@pytest.mark.parametrize("game", GAMES)
def test_random_rules_are_read_as_in_python(game):
    formats, described, rng = Formats(game), game_named(game), random.Random(5)
    fields = formats.module.description["rule_fields"]
    names = [field["name"] for field in fields]
    words = [word for field in fields for word in field.get("words", [])]
    values = [*words, "1", "0", "2.5", "-3", "1e3", "true", "No", "none", "nan", "x", "", "40.0", "0.1", "1e-9", "7_0"]
    valid = 0
    for _ in range(1500):
        parts = [rng.choice([*presets_of(game), "", ""])]
        for _ in range(rng.randrange(4)):
            name = rng.choice(names)
            if rng.random() < 0.1:
                name = name.replace(rng.choice(name), rng.choice("aeiou."), 1)
            parts.append(f"{name}{rng.choice(['=', ' = ', '= ', ''])}{rng.choice(values)}")
        valid += check_rules(formats, described, rng.choice([", ", " ", ",", "  ,"]).join(filter(None, parts)))
    assert 100 < valid < 1400


def test_rules_without_a_preset_change_the_current_rules():
    formats, described = Formats("shover"), game_named("shover")
    for text in ("initial_force=30", "walker", "noop=true", ""):
        check_rules(formats, described, text, "phase2")


# --- Maps


def check_map(formats: Formats, data: bytes) -> bool:
    """Compare the maps that both readers find in a file. Return whether the file is valid."""
    found = formats.read(data)
    try:
        expected = Map._decode(data, "file")
    except MapError as error:
        assert isinstance(found, Problem), (data, str(error))
        assert f"file{found.place}: {found.what}" == str(error), data
        assert (found.line or None, found.column or None) == (error.line, error.column)
        return False
    assert isinstance(found, ReadLevel), (data, found)
    assert found.block["level"].reshape(expected.grid.shape).tolist() == expected.grid.tolist()
    start = found.block["start"][0]
    assert (start["row"], start["col"]) == (expected.agent or (-1, -1))
    check_header(found, expected, game_named("shover"), data)
    return True


def check_header(found: ReadLevel, expected: Any, game: Any, data: bytes) -> None:
    assert (found.title, found.about) == (expected.title, expected.about), data
    assert (expected.rules is None) == (found.rules == "")
    if expected.rules is not None:
        assert parse_rules(found.rules, game.preset_rules) == parse_rules(expected.rules, game.preset_rules)


MAPS = [
    "// The dock\n// rules: phase2, initial_force=30\n. . B\n. A L\n",
    "0 0 10\n0 5 -100\n",
    "//! start 1 1\n//! strength 3 4\n0 0 10\n10 0 -100\n",
    "// Title\n//\n// One\n// two\n//\n// Three\n//! strength 7\n.BB\nA#L\n\n\n",
]
PIECES = [
    "\n", "\r\n", "\r", " ", "\t", "\u00a0", "\u2003", "//", "//!", "// ", "// rules: ", "//rules phase2", "phase2",
    "initial_force=30", ", ", "rules", ":", "=", "A", "B", ".", "L", "#", "0", "10", "100", "-100", "5", "11", "x", "é",
    "😀", "'", '"', "\\", "\x1b", "\u200b", "//! start 0 0", "//! strength 3", "//! strength", "//! start 1", "\ufeff",
    "title", "\x0b", "\x1c", "\x85", "\u2028", "\x7f",
]  # fmt: skip


PLAIN_PIECES = [piece for piece in PIECES if piece.isascii() and piece not in "\x0b\x1c"]


def mutated(rng: random.Random, text: str, pieces: list[str]) -> str:
    """Insert, delete and duplicate parts of a text."""
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
        at = rng.randrange(len(text) + 1)
        kind = rng.random()
        if kind < 0.6:
            text = text[:at] + rng.choice(pieces) + text[at:]
        elif kind < 0.85:
            text = text[:at] + text[at + rng.randrange(1, 4) :]
        else:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            text = "\n".join(lines)
    return text


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Sometimes change a byte, so that the result may not be UTF-8 text."""
    if data and rng.random() < 0.08:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.choice([0, 0x80, 0xC0, 0xE0, 0xED, 0xF4, 0xFF, 0xA0])]) + data[at:]
    return data


def test_random_and_mutated_maps_are_read_as_in_python():
    formats, rng = Formats("shover"), random.Random(1)
    sources = [*MAPS, *(board.level.to_text(rng.choice("AB")) for board in game_named("shover").levels.boards())]
    valid = 0
    for _ in range(4000):
        text = mutated(rng, rng.choice(sources), PIECES)
        if rng.random() < 0.1:
            text = "".join(rng.choices(PIECES, k=rng.randrange(12)))
        valid += check_map(formats, damaged(rng, text.encode("utf-8")))
    assert 300 < valid < 3700


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "//", "// rules:", "// rules:\n.", "// \x01\n// a\n//\n// b\n.", "// rules\n// phase2\n.",
        "// \x01rules: x\n.", "." * 257, ".\n" * 257, "A" + "." * 300, ".A\nA.", "B", "//! start 0 5\n..",
        "//! start 0 0\nB.", "//! start 1 2 3\n.", "//! strength 11\nB.", "//! strength 1 2\nB.", "..\n\n.", "..\n.",
        "0 x", "0 010", "-", "--100", "1" * 30, "//! start 99999999999999999999 0\n.", "/ /", " // x\n.", "\ufeff.",
    ],
)  # fmt: skip
def test_a_map_gives_the_same_result_as_in_python(text):
    check_map(Formats("shover"), text.encode("utf-8"))


def test_a_map_that_is_too_large_is_rejected():
    found = Formats("shover").read(b"." * (4 * 2**20 + 1))
    assert isinstance(found, Problem) and found.what == "the text is longer than 4 MiB"


def test_maps_are_written_as_in_python():
    formats = Formats("shover")
    for board in game_named("shover").levels.boards():
        for rules in (board.preset, "phase2, initial_force=2.5, noop=false"):
            level = Map(board.level.grid, board.level.agent, rules=rules)
            found = formats.read(level.to_text("A").encode())
            assert isinstance(found, ReadLevel)
            found.block.fill(formats.module.preset(rules.partition(",")[0])["arrays"] | {"start": {}})
            changes = rules.partition(",")[2].encode()
            assert not found.block.call("parse_rules", formats.put(changes), len(changes), formats.put(bytes(200)))
            title = b"A  title\n"
            expected = Map(level.grid, level.agent, "map", "A title", "", rules).to_text()
            assert formats.written(found.block, "write", formats.put(title), len(title)) == expected


def test_maps_are_recognised_as_in_python():
    formats, levels, rng = Formats("shover"), game_named("shover").levels, random.Random(3)
    block = formats.new_block()
    for _ in range(500):
        text = mutated(rng, rng.choice(MAPS), PLAIN_PIECES)
        data = text.encode()
        score = block.call("recognises", formats.put(data), len(data))
        assert score == round(100 * levels.recognises(data, ".txt")), text


# --- Tracks


def check_track(formats: Formats, data: bytes) -> bool:
    """Compare the tracks that both readers find in a file. Return whether the file is valid."""
    found = formats.read(data)
    try:
        expected = Track.parse(symbols.decode(data, "file"), "file")
    except TrackError as error:
        assert isinstance(found, Problem), (data, str(error))
        assert f"file{found.place}: {found.what}" == str(error), data
        assert (found.line or None, found.column or None, found.cell) == (error.line, error.column, error.cell)
        return False
    assert isinstance(found, ReadLevel), (data, found)
    assert found.block["level"].reshape(expected.cells.shape).tolist() == expected.cells.tolist()
    check_header(found, expected, game_named("race"), data)
    return True


TRACKS = [
    "// A lane\n// rules: cross, penalty=3\nS..F\nS..F\n",
    "-1 -1 -1 -1\n-1 1 0 100\n-1 -1 -1 -1\n",
    "#####\n#S.##\n###.#\n####F\n",
    "#####\n#S#F#\n#####\n",
]
TRACK_PIECES = [*PIECES, "S", "F", "-1", "1", "S", "#", "cross", "penalty=3"]


def test_random_and_mutated_tracks_are_read_as_in_python():
    formats, rng = Formats("race"), random.Random(2)
    small = [board.level.track.to_text(rng.choice(STYLES)) for board in game_named("race").levels.boards()[:3]]
    valid = 0
    for _ in range(3000):
        text = mutated(rng, rng.choice([*TRACKS, *TRACKS, *small]), TRACK_PIECES)
        if rng.random() < 0.1:
            text = "".join(rng.choices(TRACK_PIECES, k=rng.randrange(12)))
        valid += check_track(formats, damaged(rng, text.encode("utf-8")))
    assert 300 < valid < 2700


@pytest.mark.parametrize(
    "text",
    [
        "",
        "S.F\n" * 1001,
        "S" * 1001,
        "S.F\n" * 1000 + "\nS.F",
        "S.F\n\nS.F",
        "SS.\n...",
        "F..\n...",
        "+1 0 100",
        "1 0 1e2",
    ],
)
def test_a_track_gives_the_same_result_as_in_python(text):
    check_track(Formats("race"), text.encode("utf-8"))


def test_tracks_are_written_and_recognised_as_in_python():
    formats, levels = Formats("race"), game_named("race").levels
    for board, rules in itertools.product(
        levels.boards()[:4], ("race", "cross", "race, penalty=2, reward.finish=0.25")
    ):
        track = board.level.track
        found = formats.read(track.to_text("symbols").encode())
        assert isinstance(found, ReadLevel)
        address = formats.put(rules.encode())
        assert not found.block.call("parse_rules", address, len(rules), formats.module.reserve(200))
        expected = Track(track.cells, "track", "Lap", "", None if rules == "race" else rules).to_text()
        assert formats.written(found.block, "write", formats.put(b"Lap"), 3) == expected
    rng = random.Random(3)
    block = formats.new_block()
    for _ in range(500):
        data = mutated(rng, rng.choice([*TRACKS, *MAPS]), PLAIN_PIECES).encode()
        score = block.call("recognises", formats.put(data), len(data))
        assert score == round(100 * levels.recognises(data, ".txt")), data


# --- Pictures of tracks


def read_picture(formats: Formats, pixels: np.ndarray) -> Any:
    """Return the cells of a picture, or the error. The pixels are uint8 (rows, cols, 4)."""
    height, width, _ = pixels.shape
    probe = formats.new_block(rows=1, cols=1, cars=1)
    address = formats.put(pixels.tobytes())
    if probe.call("measure_picture", address, width, height):
        return formats.problem(probe)
    assert probe["measured"].tolist() == [height, width, 1]
    block = formats.module.block({"rows": height, "cols": width, "cars": 1})
    if block.call("read_picture", address, width, height):
        return formats.problem(block)
    return block["level"].reshape(height, width)


def check_picture(formats: Formats, pixels: np.ndarray) -> bool:
    found = read_picture(formats, pixels)
    try:
        expected = Track.from_image(pixels, "file")
    except TrackError as error:
        assert isinstance(found, Problem), str(error)
        # Python adds advice on --colours.
        assert str(error).startswith(f"file{found.place}: {found.what}"), (found, str(error))
        assert len(found.what) > 30 and found.cell == error.cell
        return False
    assert not isinstance(found, Problem), found
    assert found.tolist() == expected.cells.tolist()
    return True


def test_pictures_of_tracks_are_read_as_in_python():
    formats, rng = Formats("race"), np.random.default_rng(4)
    valid = 0
    for number in range(400):
        height, width = rng.integers(1, 9, 2)
        cells = rng.choice([-1, 0, 0, 0, 1, 100], (height, width), p=[0.35, 0.2, 0.2, 0.15, 0.05, 0.05])
        shades = {-1: (255, 0, 0), 0: (0, 255, 0), 1: (0, 0, 255), 100: (255, 255, 255)}
        pixels = np.array([[(*shades[int(code)], 255) for code in row] for row in cells], np.uint8)
        noise = rng.integers(-60, 61, pixels.shape) * (number % 3 == 0)
        pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
        pixels[..., 3] = np.where(rng.random((height, width)) < 0.01, 100, 255)
        valid += check_picture(formats, pixels)
    for board in game_named("race").levels.boards():
        pixels = board.level.track.to_image()
        assert check_picture(formats, np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)]))
        assert check_picture(formats, pixels[..., [1, 0, 2, 2]] | np.array([0, 0, 0, 255], np.uint8)) is False
    assert 20 < valid < 380
    assert check_picture(formats, np.zeros((0, 3, 4), np.uint8)) is False
    assert check_picture(formats, np.zeros((1001, 1, 4), np.uint8)) is False


# --- Levels


def check_levels(formats: Formats, data: bytes) -> int:
    """Compare the levels that both readers find in a file. Return the number of valid levels."""
    try:
        text = sokoban_formats._decoded(data, "file")
        expected = list(sokoban_formats._parsed(text, "file", None))
    except LevelError as error:
        found = formats.read(data)
        assert isinstance(found, Problem), (data, str(error))
        assert found.what == error.what and (found.line or None) == error.line
        return 0
    valid = 0
    for number, level in enumerate(expected):
        found = formats.read(data, number)
        if isinstance(level, LevelError):
            assert isinstance(found, Problem), (data, str(level))
            assert f"file{found.place}: {found.what}" == str(level), data
            continue
        assert isinstance(found, ReadLevel), (data, found)
        assert found.levels == len(expected)
        for plane, table in zip(
            found.block["level"].reshape(3, -1), (level.walls, level.targets, level.boxes), strict=True
        ):
            assert plane.tolist() == table.reshape(-1).tolist(), data
        players = [found.block["start"][0][name] for name in ("player", "second")]
        assert [cell for cell in players if cell >= 0] == [row * level.cols + col for row, col in level.players], data
        title = level.title if level.title and not level.title.isdecimal() else f"Level {level.title or level.number}"
        assert (found.title, found.about) == (title, f"By {level.author}" if level.author else ""), data
        presets = presets_of("sokoban")
        assert list(presets)[found.block["reading"][0]["preset"]] == level.usual_rules
        if level.rules is not None:
            usual = "two" if len(level.players) == 2 else "sokoban"
            assert rules_text(found.rules, presets, usual) == level.rules
        valid += 1
    return valid


LEVELS = [
    "; one\n#####\n#@$.#\n#####\nAuthor: Ann\nRules: pull\n\n; two\n  ####\n###  #\n#@ $.#\n######\nSolution: rR\n",
    "Author: Bob\n\n5#|#@$.#|5#\nTitle: Coded\n\n#######\n#-@-$._#\n#######\nTitle: Plain\nBox numbers: 1\nTarget numbers: 1\n",
    "#######\n#@$$..#\n#@    #\n#######\nBox numbers: 2 1\nTarget numbers: 1 2\nPlayer order: 2 1\nRules: max_steps=50\n",
    "Title: A\n#####\n#@$.#\n#####\nTitle: B\n#####\n#+$*#\n## ##\n #$#\n ###\nComment:\n#\nComment-End:\n",
]
LEVEL_PIECES = [
    "\n", "\n\n", "\r\n", "\r", " ", "\t", "#", "##", "@", "$", ".", "*", "+", "-", "_", "|", "3", "2(", ")", "(", "0", "x", "é",
    ";", "; note", "Title: T", "Author: A", "Author:", "Rules: pull", "Rules: pul", "Rules:", "Comment: c", "Comment:",
    "Comment-End:", "Solution", "Solution: rR", "solution (3 moves) : u", "lurd", "Box numbers: 1 2", "Target numbers: 2 1",
    "Player order: 2 1", "Box  Numbers: x", "note", "12", "Level 3", "\x1b", "\u200b", "\u2003", "###", "#x#", "b", "o", "p",
    "Date of last change: 1", ":", "100#", "999999999999#", "16(" * 17,
]  # fmt: skip


def test_random_and_mutated_levels_are_read_as_in_python():
    formats, rng = Formats("sokoban"), random.Random(6)
    valid = 0
    for _ in range(4000):
        text = mutated(rng, rng.choice(LEVELS), LEVEL_PIECES)
        if rng.random() < 0.05:
            text = "".join(rng.choices(LEVEL_PIECES, k=rng.randrange(12)))
        valid += check_levels(formats, damaged(rng, text.encode("utf-8")))
    assert 1500 < valid < 7500


@pytest.mark.parametrize(
    "text",
    [
        "", "no level", "#", "###\n\n" * 3, "#" * 65, "#\n" * 131, "#" + "-" * 17000, "#|" * 200, "###\n#@#\n###",
        "####\n#$.#\n####", "#####\n#@$ #\n#####", "######\n#@@@$.\n######", "####\n#@$.\n####", "#####\n#@$.#\n### #",
        "9999#", "3(2(#)", "2)#", "#0#", "#5", "#" + "(" * 20, "4(999#)9#", "3(3000#)#", " " * 80 + "#####\n" + " " * 80 + "#@$.#\n"
        + " " * 80 + "#####", "#####\n#@$.#\n#####\nBox numbers: 2", "Title: x" * 9 + "\n#####\n#@$.#\n#####",
    ],
)  # fmt: skip
def test_a_level_gives_the_same_result_as_in_python(text):
    check_levels(Formats("sokoban"), text.encode("utf-8"))


def test_the_packaged_levels_are_read_and_written_as_in_python():
    formats, levels = Formats("sokoban"), game_named("sokoban").levels
    for collection in levels.collections():
        boards = levels.boards(collection.name)
        assert check_levels(formats, levels_text([board.level for board in boards]).encode()) == len(boards)
    two = parse_levels(LEVELS[2], players=None)
    for level, rules in itertools.product(
        [*two, boards[0].level], ("", "pull", "two, max_steps=7", "fixed, reward.step=-0.5")
    ):
        level = dataclasses.replace(level, title="A room", author="", comment="", solution="", rules=rules or None)
        found = formats.read(levels_text([level]).encode())
        assert isinstance(found, ReadLevel)
        changes = (level.rules or level.usual_rules).encode()
        assert not found.block.call("parse_rules", formats.put(changes), len(changes), formats.module.reserve(200))
        title = b"A room"
        assert formats.written(found.block, "write", formats.put(title), len(title)) == levels_text([level])


def test_levels_are_recognised_as_in_python():
    formats, levels, rng = Formats("sokoban"), game_named("sokoban").levels, random.Random(3)
    block = formats.new_block(boxes=0)
    for _ in range(500):
        data = mutated(rng, rng.choice([*LEVELS, *MAPS, *TRACKS]), PLAIN_PIECES).encode()
        score = block.call("recognises", formats.put(data), len(data))
        assert score == round(100 * levels.recognises(data, ".txt")), data


# --- Files from other places


def moves_in(formats: Formats, text: str) -> str | Problem | None:
    """Return the letters of moves that the module finds in a text; None if the text contains something else."""
    block, data = formats.new_block(**formats.small()), text.encode()
    source, out = formats.put(data), formats.module.reserve(LONGEST)
    size = formats.module.call("read_moves", block.address, source, len(data), out, LONGEST)
    if size < 0:
        return formats.problem(block)
    return formats.module.bytes_at(out, size).tobytes().decode() if size else None


def check_moves(formats: Formats, text: str) -> str:
    """Compare the moves that both readers find in a text. Return what they are: moves, an error or something else."""
    found = moves_in(formats, text)
    try:
        expected = notation.split(text)
    except LevelError as error:
        assert isinstance(found, Problem), (text, str(error))
        reason = str(error).partition("run-length encoding: ")[2]
        assert found.what.endswith(reason), text
        return "error"
    assert found == (None if expected is None else "".join(expected)), text
    return "other" if expected is None else "moves"


def test_moves_are_read_as_in_python():
    formats, rng = Formats("sokoban"), random.Random(5)
    for text in (
        "rrUL",
        "4r2(uL)",
        "2(r2(Ul))3d",
        " r\tL\n",
        "rr+",
        "+<r",
        "<+r",
        "2+r",
        "3",
        "()",
        "#@$.#",
        "hello",
        "",
        "ü",
    ):
        check_moves(formats, text)
    kinds = [
        check_moves(formats, "".join(rng.choices("lurdLURD" * 3 + "23()()+< 9", k=rng.randint(1, 12))))
        for _ in range(3000)
    ]
    assert min(map(kinds.count, ("moves", "error", "other"))) > 100


@pytest.mark.skipif(not DATA.exists(), reason="the files are not on this machine")
def test_files_from_other_places_are_read_as_in_python():
    for game, check in (("shover", check_map), ("race", check_track), ("sokoban", check_levels)):
        formats = Formats(game)
        assert all(check(formats, path.read_bytes()) for path in sorted((DATA / game).glob("*.txt")))


# --- player/formats.js

SCRIPT = """
import { GameModule } from "./module.js";
import { applyRules, levelText, readLevels, readPicture, recognise } from "./formats.js";
const { games, texts, picture, rules } = given;
const hosts = games.map(({ index, description, wasm }) =>
  new GameModule(index, description, new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, "base64")), {})));
const race = hosts.find((host) => host.description.name === "race");
const found = texts.map(([text, name]) => {
  const host = recognise(hosts, text)[0].host;
  const { levels, error } = readLevels(host, text, name);
  const written = levels.map((level) => host.briefly(() => {
    const preset = level.rules ?? host.description.presets.find((one) => one.name === level.preset);
    const block = host.levelBlock(preset, level, host.description.dimensions.includes("boxes") ? { boxes: 0 } : {});
    return levelText(host, block, level.title);
  }));
  return { game: host.description.name, levels, error, written };
});
const image = { data: Uint8Array.from(picture.data), width: picture.width, height: picture.height };
const shover = hosts[0];
const block = shover.levelBlock(shover.description.presets[0], null);
answer({ found, track: readPicture(race, image, "p.png"), rules: rules.map((text) => applyRules(shover, block, text)) });
"""


@needs_node
def test_a_page_reads_levels_pictures_and_rules():
    texts = [
        ("// The dock\n// rules: phase2, initial_force=30\n..B\n.AL\n", "dock"),
        ("..B\n.xL\n", "broken"),
        (LEVELS[0] + "\n#####\n#@$ #\n#####\n", "rooms"),
        (LEVELS[2], "two"),
        ("#####\n#S.F#\n#####\n", "lane"),
    ]
    games = [
        {
            "index": stored("index.json"),
            "description": stored(f"{game}.json"),
            "wasm": base64.b64encode(module_bytes(game)).decode(),
        }
        for game in GAMES
    ]
    pixels = [[255, 0, 0, 255], [0, 0, 255, 255], [0, 255, 0, 255], [9, 9, 9, 255]]
    given = {
        "games": games,
        "texts": texts,
        "picture": {"data": np.array(pixels).ravel().tolist(), "width": 4, "height": 1},
        "rules": ["walker, unit_force=2.0", "edge=lava", "unit_force=-1"],
    }
    result = run_node(SCRIPT, given)
    dock, broken, rooms, two, lane = result["found"]
    assert [one["game"] for one in result["found"]] == ["shover", "shover", "sokoban", "sokoban", "race"]
    assert dock["levels"][0]["title"] == "The dock" and dock["levels"][0]["rules"]["name"] == "phase2, initial_force=30"
    assert dock["written"] == [Map.parse(texts[0][0]).to_text()]
    with pytest.raises(MapError) as caught:
        Map.parse(texts[1][0], "broken")
    assert broken["error"] == str(caught.value) and broken["levels"] == []
    assert [level["title"] for level in rooms["levels"]] == ["one", "two"]
    assert [level["preset"] for level in rooms["levels"]] == ["pull", "sokoban"]
    with pytest.raises(LevelError) as unequal:
        parse_levels(texts[2][0], "rooms")
    assert rooms["error"] == str(unequal.value) and "level 3, line 15" in rooms["error"]
    assert two["levels"][0]["rules"]["dimensions"]["players"] == 2
    assert parse_levels(two["written"][0], players=None) == parse_levels(LEVELS[2], players=None)
    assert Track.parse(lane["written"][0]) == Track.parse(texts[4][0])
    assert result["track"]["error"].startswith("p.png, pixel x=3 y=0: the colour (9, 9, 9) is not a track colour")
    assert result["rules"] == [
        {"rules": "walker, unit_force=2"},
        {"rules": "walker, edge=lava, unit_force=2"},
        {"error": "unit_force=-1: must be at least 0"},
    ]

"""Every reader is bounded: it reads only regular files of a limited size, in linear time, and rejects wrong types."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoverworld
from shoverworld import Map, race, sokoban
from shoverworld.core.cells import numbered_lines
from shoverworld.core.errors import LevelError, MapError, NotAReplay, ShoverWorldError, TrackError
from shoverworld.core.replay import Replay
from shoverworld.games import game_named
from shoverworld.games.defaults import Glyph, SmallGame
from shoverworld.games.sokoban.bulk import sound_boards
from shoverworld.games.sokoban.levels import Level
from shoverworld.play import files, places
from shoverworld.play.edit_session import EditSession
from tests.paths import ROOT


class CorridorGame(SmallGame):
    name, title = "corridor", "Corridor"
    glyphs = (Glyph(".", "floor", "floor", (9, 9, 9)), Glyph("@", "player", "actor", (1, 1, 1), once=True))


CORRIDOR = CorridorGame().levels
SHOVER = game_named("shover")
READERS = {
    "map": (Map.read, MapError),
    "board": (SHOVER.levels.read, MapError),
    "environment with a map": (lambda path: shoverworld.ShoverWorldEnv(map_path=path), MapError),
    "levels": (sokoban.read_levels, LevelError),
    "environment with levels": (lambda path: sokoban.SokobanEnv(levels=path), LevelError),
    "track": (race.Track.read, TrackError),
    "environment with a track": (lambda path: race.RaceEnv(track=path), TrackError),
    "replay": (Replay.read, NotAReplay),
    "level of a small game": (CORRIDOR.read, LevelError),
    "editor": (lambda path: EditSession.open(SHOVER, path), MapError),
    "any game": (places.find, ShoverWorldError),
}
PARSERS = {
    "map": (Map.parse, MapError),
    "levels": (sokoban.parse_levels, LevelError),
    "level": (sokoban.Level.parse, LevelError),
    "solution": (sokoban.read_lurd, LevelError),
    "track": (race.Track.parse, TrackError),
    "replay": (Replay.parse, NotAReplay),
    "level of a small game": (CORRIDOR.parse, LevelError),
}


# --- paths that are not regular files


@pytest.fixture(params=["pipe", "device", "folder", "large file"])
def unreadable(request, tmp_path):
    """A path that cannot be read as a file: reading it would block forever, never end, fail or use all memory."""
    path = tmp_path / "thing.txt"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    elif request.param == "folder":
        path.mkdir()
    else:
        with open(path, "wb") as file:
            file.truncate(50 * 2**20)  # a sparse file, which takes no space on the disk
    return str(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and devices")
@pytest.mark.parametrize("reader", READERS)
def test_only_regular_files_of_a_limited_size_are_read(reader, unreadable):
    read, kind = READERS[reader]
    with pytest.raises(kind) as caught:
        read(unreadable)
    assert unreadable in str(caught.value)
    assert len(str(caught.value)) < 1500


def test_a_pipe_is_recognised_neither_as_a_game_file_nor_as_a_settings_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert places.game_of_file(tmp_path / "pipe.txt") is None
    value, message = files.read_json(tmp_path / "pipe.txt")
    assert value is None and "cannot be read: it is not a regular file" in message
    assert (tmp_path / "pipe.txt").is_fifo()


def test_a_settings_file_that_is_too_large_is_set_aside(tmp_path):
    with open(tmp_path / "some.json", "wb") as file:
        file.truncate(50 * 2**20)
    value, message = files.read_json(tmp_path / "some.json")
    assert value is None and "larger than 32 MiB" in message and "renamed to some.json.corrupt-1" in message


@pytest.mark.parametrize(
    ("read", "path", "kind"),
    [
        (Map.read, 5, MapError),
        (Map.read, None, MapError),
        (Map.read, "a\0b", MapError),
        (shoverworld.bundled, 5, MapError),
        (race.Track.read, 5, TrackError),
        (race.bundled, 5, TrackError),
        (race.Track.decode, "S.F", TrackError),
        (sokoban.read_levels, 5, LevelError),
        (sokoban.read_levels, "a\0b", LevelError),
        (Level.from_rows, 5, LevelError),
        (Level.from_rows, "###", LevelError),
        (Level.from_rows, [1, 2, 3], LevelError),
        (Replay.read, 5, NotAReplay),
        (Replay.read, None, NotAReplay),
        (Replay.read, "a\0b", NotAReplay),
    ],
)
def test_a_reader_rejects_anything_that_is_not_a_path(read, path, kind):
    with pytest.raises(kind):
        read(path)


@pytest.mark.parametrize("given", [5, None, b"A.B", ["A.B"], np.zeros((3, 3))])
@pytest.mark.parametrize("parser", PARSERS)
def test_a_parser_rejects_anything_that_is_not_a_string(parser, given):
    parse, kind = PARSERS[parser]
    with pytest.raises(kind, match=rf"expected a str, not {type(given).__name__}"):
        parse(given)


# --- linear time

LINEAR = """
from tests.core.test_reading import PARSERS, ShoverWorldError

def megabyte(unit, start=""):
    return start + unit * (1_000_000 // len(unit))

MAP = (".B" * 128 + "\\n") * 256
ROOM = "#####\\n#@$.#\\n#####\\n"
REPLAY = "shoverworld replay 1\\n"
cases = [(name, megabyte("\\n")) for name in PARSERS]  # each of these cases once took a minute
cases += [
    ("map", megabyte(" \\r\\n", "..")), ("map", megabyte("//! strength 1\\n", MAP)), ("map", megabyte(".\\n")), ("map", megabyte("//a\\n")),
    ("track", megabyte("\\n//\\n")), ("track", megabyte("\\n", "S.F")), ("track", megabyte("1 ")),
    ("levels", megabyte("Comment:\\n", ROOM)), ("levels", megabyte("#\\n\\n")), ("levels", megabyte(";\\n", ROOM)),
    ("solution", megabyte("2(u)")), ("level of a small game", megabyte("\\n", "@")),
    ("replay", megabyte("\\n", REPLAY)), ("replay", megabyte("| .\\n", REPLAY + "map:\\n")),
]
for name, text in cases:
    try:
        PARSERS[name][0](text)
    except ShoverWorldError as error:
        assert len(str(error)) < 1500, name
"""


def test_a_megabyte_of_any_input_is_parsed_in_linear_time():
    """Quadratic work on a megabyte takes minutes, and linear work takes a few seconds for all cases together."""
    child = subprocess.run([sys.executable, "-c", LINEAR], cwd=ROOT, capture_output=True, text=True, timeout=150)
    assert child.returncode == 0, child.stderr


@pytest.mark.parametrize("parser", PARSERS)
def test_text_over_the_size_limit_is_rejected_before_it_is_parsed(parser):
    parse, kind = PARSERS[parser]
    with pytest.raises(kind, match=r"the text is longer than \d+ MiB"):
        parse("\n" * (50 * 2**20))


def test_errors_name_the_correct_line_even_after_many_blank_lines():
    with pytest.raises(MapError) as in_map:
        Map.parse("\n" * 1000 + "..B\n\n\n\n.x.")
    assert in_map.value.line == 1002  # the first blank line inside the map
    with pytest.raises(TrackError) as in_track:
        race.Track.parse("\n" * 1000 + "S.F\n//\nS.x\n\n")
    assert in_track.value.line == 1003
    assert race.Track.parse("\n//\n//a\n\n//b\nS.F\n//c").title == "a"


# --- large level files

LARGE = """
import sys
from pathlib import Path
from shoverworld.games import game_named
room = "; Hall\\n" + "#" * 60 + "\\n#@$." + " " * 55 + "#\\n" + "#" * 60 + "\\nSolution: R\\n\\n"
count = 28_000_000 // len(room)
Path(sys.argv[1]).write_text(room * count)
boards = game_named("sokoban").levels.boards(sys.argv[1])
assert len(boards) == count
assert boards[-1].level.title == "Hall" and boards[-1].level.solution == "R"
"""


def test_a_28_megabyte_level_file_round_trips(tmp_path):
    """Reading this file once took more than a minute and now takes seconds; the limit leaves room for slow machines."""
    child = subprocess.run(
        [sys.executable, "-c", LARGE, tmp_path / "large.xsb"], capture_output=True, text=True, timeout=150
    )
    assert child.returncode == 0, child.stderr


def test_the_number_of_levels_in_a_file_is_limited():
    with pytest.raises(LevelError, match="there are more than 500,000 levels in one file") as caught:
        sokoban.parse_levels("###\n\n" * 500_001)
    assert caught.value.line == 1_000_001


def random_board(rng: np.random.Generator) -> list[str]:
    """Return a board that may or may not be valid: often enclosed, sometimes with a gap or a strange character."""
    height, width = rng.integers(2, 8, 2)
    cells = rng.choice(list("#.$@*+ "), (height, width), p=[0.3, 0.12, 0.12, 0.06, 0.05, 0.02, 0.33])
    if rng.random() < 0.8:
        cells[0], cells[-1], cells[:, 0], cells[:, -1] = ["#"] * 4
    if rng.random() < 0.3:
        cells[rng.integers(height), rng.integers(width)] = rng.choice([" ", "x", "é", "#"])
    return ["".join(row).rstrip() for row in cells]


def test_checking_boards_together_gives_the_same_result_as_checking_each_level():
    rng = np.random.default_rng(13)
    spiral = ["#######", "      #", "##### #", "#   # #", "# # # #", "# ### #", "#     #", "#######"]
    boards = [random_board(rng) for _ in range(2500)] + [[], ["#" * 65] * 3, spiral]
    sound = sound_boards(boards)
    assert 50 < sum(board is not None for board in sound) < 1000
    for rows, board in zip(boards, sound, strict=True):
        try:
            level = Level.from_rows(rows)
        except LevelError:
            assert board is None, rows
            continue
        assert board is not None, rows
        together = Level.of_sound_board(board, "", "", "")
        assert level == together
        for name in ("walls", "targets", "boxes"):
            one, other = getattr(level, name), getattr(together, name)
            assert (one.dtype, one.flags.writeable) == (other.dtype, other.flags.writeable) and (one == other).all()


# --- blank lines

REPLAY = Replay.of("shoverworld/ShoverWorld-v0", [(1, 1, 2)], map="....\n.B.L\nA...", n_rows=3, n_cols=4).to_text()
TEXTS = {
    "map": (Map.parse, "// rules: phase2\nA.B\n..L\n"),
    "track": (race.Track.parse, "// A lane\nS.F\nS.F\n"),
    "levels": (sokoban.parse_levels, "; one\n#####\n#@$.#\n#####\n\nAuthor: Ann\n"),
    "replay": (Replay.parse, REPLAY),
    "level of a small game": (CORRIDOR.parse, "// A corridor\n..@\n...\n"),
}


@given(st.text("\n\n a/\r\t", max_size=40))
def test_numbered_lines_skips_only_repeated_blank_lines(text):
    lines = [line if line.strip() else "" for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    expected = [(at, line) for at, line in enumerate(lines, 1) if line or at == 1 or lines[at - 2]]
    assert list(numbered_lines(text)) == expected


def test_blank_lines_are_not_visited_one_by_one():
    many = 10**6
    text = "\n" * many + "a" + " \n" * many + "b" + "\r\n" * many
    assert list(numbered_lines(text)) == [(1, ""), (many + 1, "a "), (many + 2, ""), (2 * many + 1, "b\r")]


@pytest.mark.parametrize("format", TEXTS)
def test_millions_of_blank_lines_do_not_change_the_result(format):
    parse, text = TEXTS[format]
    first, rest = text.split("\n", 1)  # the title of a replay must be its first line
    room = 4 * 10**6 - len(text)  # the size limit for maps is 4 MiB
    for longer in (text + "\n" * room, f"{first}\n" + "\n" * room + rest):
        assert parse(longer) == parse(text) or format == "replay"
        if format == "replay":
            assert [move.action for move in parse(longer).moves] == [move.action for move in parse(text).moves]

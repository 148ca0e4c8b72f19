"""The commands on tracks of the grid race: which files are tracks, `shover solve` and others, and mistakes."""

import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from shoverworld.cli import main
from shoverworld.commands.files import game_at
from shoverworld.core.errors import ConfigError, MapNotFound
from shoverworld.core.replay import Replay
from shoverworld.games.race.planner import solve as planned
from shoverworld.games.race.tracks import Track, bundled, bundled_names
from shoverworld.games.race.way_picture import SLOW_TO_FAST, shade, way_picture
from tests.oracles.race_bfs import fewest_moves, from_every_start

LANE = "S....F\n......\n#S...#\n"
LONG = "SS.........F\n"  # 1 + 2 + 3 + 4 cells from the second start; one more from the first
BENDS = """
SS......####
SS.......###
###....#..##
####..##...#
#........#.F
#.##.....#FF
"""


def put(folder, name, text):
    path = folder / name
    path.write_text(text)
    return str(path)


# --- which game a file is of


@pytest.mark.parametrize(
    "text",
    [
        LANE,
        "// S and F\n" + LANE,
        "-1 1 0\n-1 0 100\n",
        "  0   1 -1\n  0 0 100\n",
        "-1 7 0\n",  # wrong, but what else should it be?
        "#S..?.F\n",
        "#...F\n",
        "#S...\n#.\n",
        "S S . F\n",
    ],
)
def test_texts_that_are_tracks(tmp_path, text):
    assert game_at([put(tmp_path, "a.txt", text)]).name == "race"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("..B\n.A.\n", "shover"),
        ("0 0 10\n0 100 -100\n", "shover"),
        ("1 0 0 100\n", "shover"),  # a box and a barrier as well as a start and a finish: `--game race` says so
        ("#####\n#@$.#\n#####\n", "sokoban"),
        ("Title: SF\n#####\n#@$.#\n#####\n", "sokoban"),
        ("5#|#@$.#|5#\n", "sokoban"),
    ],
)
def test_texts_that_are_none(tmp_path, text, game):
    path = put(tmp_path, "a.txt", text)
    assert game_at([path]).name == game and game_at([path], "race").name == "race"


def test_pictures_and_folders_are_tracks(tmp_path):
    Track.parse(LANE).write(tmp_path / "a.png")
    Image.new("RGB", (3, 3)).save(tmp_path / "black.bmp")
    for place in ("a.png", "black.bmp", "missing.png", ""):
        assert game_at([str(tmp_path / place)]).name == "race"


def test_a_folder_of_levels_stays_one(tmp_path):
    put(tmp_path, "a.txt", "#####\n#@$.#\n#####\n")
    Image.new("RGB", (3, 3)).save(tmp_path / "shot.png")
    assert game_at([str(tmp_path)]).name == "sokoban"


def test_names_of_tracks_and_nearly_so():
    assert game_at(["05-oval"]).name == game_at(["05-ovl"]).name == "race"
    with pytest.raises(MapNotFound, match=r"the collections are .*tracks"):
        game_at(["no-such-thing"])


def test_two_games_at_a_time_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="one game at a time"):
        game_at([put(tmp_path, "a.txt", LANE), put(tmp_path, "b.txt", "..B\n")])


# --- shover solve


def solve(capsys, *arguments, code=0):
    """What `shover solve` tells, on stdout and stderr."""
    assert main(["solve", *map(str, arguments)]) == code
    return capsys.readouterr()


def row_of(text, name):
    """The row of a track by its columns."""
    heads = next(line.split() for line in text.splitlines() if line.startswith("track "))
    (row,) = [line.split() for line in text.splitlines() if line.split()[:1] == [name]]
    return dict(zip(heads, row, strict=True))


def test_a_row_the_way_and_its_cells(tmp_path, capsys):
    told = solve(capsys, put(tmp_path, "lane.txt", LANE)).out
    row = row_of(told, "lane")
    assert (row["outcome"], row["size"], row["starts"], row["steps"], row["proved"]) == (
        "finished",
        "3x6",
        "2",
        "3",
        "yes",
    )
    *_, one, two, three, _, way = told.rstrip().splitlines()
    assert all((one + two + three).count(digit) == 1 for digit in "0123")
    assert one.endswith("3") and three.startswith("#") and three.endswith("#")
    cells = [tuple(map(int, cell.split(","))) for cell in way.split()]
    assert way.split()[0] == row["from"] and cells[-1] == (5, 0) and len(cells) == 4


def test_what_a_car_passes_over_is_left_empty(tmp_path, capsys):
    told = solve(capsys, put(tmp_path, "long.txt", LONG)).out
    drawn = told.rstrip().splitlines()[-3]
    assert re.fullmatch(r"S0[1-4 ]*4", drawn) and re.findall(r"\d", drawn) == list("01234")


@pytest.mark.parametrize("finish", ["land", "cross"])
@pytest.mark.parametrize("line", ["valid_line", "supercover", "landing"])
def test_the_moves_are_those_of_plain_search(tmp_path, capsys, line, finish):
    path, cells = put(tmp_path, "bends.txt", BENDS), Track.parse(BENDS).cells.tolist()
    told = solve(capsys, path, "--line", line, "--finish", finish, "--every-start").out
    assert int(row_of(told, "bends")["steps"]) == fewest_moves(cells, None, line, finish)
    found = {}
    for moves, starts in re.findall(r"^ +(\d+) steps from (.*)$", told, re.MULTILINE):
        found.update({tuple(map(int, start.split(","))): int(moves) for start in starts.split()})
    assert found == from_every_start(cells, line, finish)


def test_presets_are_rules_too(tmp_path, capsys):
    path = put(tmp_path, "bends.txt", BENDS)
    for preset, words in (("supercover", ("--line", "supercover")), ("cross", ("--finish", "cross"))):
        by_name, by_words = (row_of(solve(capsys, path, *w).out, "bends") for w in (("--rules", preset), words))
        assert by_name["steps"] == by_words["steps"]


def test_every_start_by_its_moves(tmp_path, capsys):
    told = solve(capsys, put(tmp_path, "long.txt", "S#..........\n" + LONG), "--every-start").out
    assert "     4 steps from 1,1\n" in told and "     5 steps from 0,0  0,1\n" in told
    told = solve(capsys, put(tmp_path, "part.txt", "SF#S\n"), "--every-start").out
    assert "     1 steps from 0,0\n" in told and "no way from     3,0\n" in told


def test_from_a_start_of_choice(tmp_path, capsys):
    path = put(tmp_path, "long.txt", LONG)
    assert row_of(solve(capsys, path).out, "long")["steps"] == "4"
    row = row_of(solve(capsys, path, "--start", "0,0").out, "long")
    assert (row["steps"], row["from"]) == ("5", "0,0")
    assert row_of(solve(capsys, path, "--start", "10,0").out, "long")["steps"] == "1"  # any cell of the track


def test_a_start_without_a_way_is_a_proof(tmp_path, capsys):
    row = row_of(solve(capsys, put(tmp_path, "part.txt", "S.F#.\n"), "--start", "4,0").out, "part")
    assert (row["outcome"], row["steps"], row["from"], row["proved"]) == ("unsolvable", "-", "-", "yes")


def test_every_move_of_the_way(tmp_path, capsys):
    told = solve(capsys, put(tmp_path, "long.txt", LONG), "--log").out
    assert "     1  5  to 2,0  velocity 1,0\n" in told and "     4  5  to 11,0  velocity 4,0\n" in told


def test_several_tracks_and_a_folder(tmp_path, capsys):
    put(tmp_path, "lane.txt", LANE)
    (tmp_path / "more").mkdir()
    Track.parse(LONG).write(tmp_path / "more" / "lane.png")
    told = solve(capsys, tmp_path, "01-straight", "--save", tmp_path / "out").out
    assert row_of(told, "lane")["steps"] == "3" and row_of(told, "more/lane")["steps"] == "4"
    assert row_of(told, "01-straight")["steps"] == "8" and "#" not in told
    out = tmp_path / "out"
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "01-straight.png", "01-straight.replay", "lane.png", "lane.replay", "more/lane.png", "more/lane.replay",
    ]  # fmt: skip


def test_all_bundled_tracks_by_the_name_of_their_collection(capsys):
    told = solve(capsys, "tracks").out
    heading, *rows, empty, total = told.splitlines()
    assert [line.split()[0] for line in rows] == list(bundled_names())
    assert heading.startswith("track ") and empty == "" and total == f"{len(rows)} finished"


def test_replays_are_accepted(tmp_path, capsys):
    solve(
        capsys,
        put(tmp_path, "bends.txt", BENDS),
        "--finish",
        "cross",
        "--line",
        "supercover",
        "--save",
        tmp_path / "out",
    )
    assert Replay.read(tmp_path / "out" / "bends.replay").player == "planner"
    assert main(["replay", str(tmp_path / "out" / "bends.replay"), "--check"]) == 0
    assert "finished" in capsys.readouterr().out


def test_no_time_is_told(capsys):
    row = row_of(solve(capsys, "05-oval", "--time", 0, code=1).out, "05-oval")
    assert (row["outcome"], row["steps"], row["from"], row["proved"]) == ("unknown", ">=1", "-", "no")


# --- the picture


def test_the_picture_shows_the_way(tmp_path, capsys):
    told = solve(capsys, put(tmp_path, "long.txt", LONG), "--out", tmp_path / "way.png").out
    assert told.endswith(f"the path is drawn in {tmp_path / 'way.png'}\n")
    picture = np.asarray(Image.open(tmp_path / "way.png")).astype(int)
    picture = picture[:, (picture.shape[1] - 12 * 32) // 2 :]  # the caption is wider than the track
    bare = way_picture(Track.parse(LONG), [(1, 0)], "").astype(int)
    middle = 16  # pixels: the cells have 32
    changed = (picture[middle, : 12 * 32] != bare[middle, : 12 * 32]).any(axis=1)
    assert changed[2 * 32 : 11 * 32].all() and not changed[:32].any()
    for x in (2, 4, 7, 11):  # a dot where it lands, white in the middle
        assert picture[middle, x * 32 + 16].min() > 200
    warmth = [picture[middle, x, 0] - picture[middle, x, 1] for x in (32 * 3 + 16, 32 * 5 + 28, 32 * 9 + 16)]
    assert all(slower < faster for slower, faster in pairwise(warmth))  # the faster the warmer


def test_shades_from_slow_to_fast():
    assert shade(0) == shade(-1) == SLOW_TO_FAST[0] and shade(1) == shade(9) == SLOW_TO_FAST[-1]


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1000, 3), (2, 1000)])
def test_pictures_of_odd_sizes(rows, cols):
    cells = np.zeros((rows, cols), int)
    cells[0, 0], cells[-1, -1] = 1, 100
    picture = way_picture(
        Track(cells), [(0, 0), (cols - 1, rows - 1)], "a caption that is longer than the track is wide"
    )
    assert (
        picture.dtype == np.uint8 and max(picture.shape) <= 4200 and len(np.unique(picture.reshape(-1, 3), axis=0)) > 5
    )


# --- mistakes


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("#..F\n", "bad.txt: there is no start"),
        ("-1 1 0\n", "bad.txt: there is no finish"),
        ("S.#.F\n", "x=1 y=0: no finish can be reached"),
        ("S..F\nS.\n", "bad.txt, line 2: this row has 2 cells; expected 4"),
        ("-1 1 7 100\n", "bad.txt, line 1, column 6: '7'"),
        ("#S.?..F\n", "bad.txt, line 1, column 4: '?'"),
    ],
)
def test_bad_texts(tmp_path, capsys, text, what):
    told = solve(capsys, put(tmp_path, "bad.txt", text), code=2)
    assert what in told.err and told.err.startswith("shover solve: ") and told.err.count("\n") == 1 and not told.out


def test_bad_pictures(tmp_path, capsys):
    pixels = Track.parse(LANE).to_image()
    pixels[1, 4] = 120, 90, 30
    Image.fromarray(pixels).save(tmp_path / "brown.png")
    Image.new("1", (20_000, 20_000)).save(tmp_path / "huge.png")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG and no more")
    for name, what in (
        ("brown.png", "pixel x=4 y=1: the colour (120, 90, 30)"),
        ("huge.png", "20000 x 20000 pixels"),
        ("broken.png", "cannot read the image"),
        ("missing.png", "neither a track file nor the name of a bundled track"),
    ):
        told = solve(capsys, tmp_path / name, code=2)
        assert what in told.err and told.err.count("\n") == 1, told.err


def test_a_bad_track_does_not_stop_the_others(tmp_path, capsys):
    put(tmp_path, "a.txt", LANE)
    put(tmp_path, "b.txt", "S..\n")
    told = solve(capsys, tmp_path, code=2)
    assert row_of(told.out, "a")["outcome"] == "finished" and "b.txt: there is no finish" in told.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--agent", "phase2-astar"], "does not play Grid race"),
        (["--objective", "pushes"], "must be one of 'steps'"),
        (["--rules", "phase2"], "supercover"),
        (["--time", "-1"], "time"),
        (["--out", "x.txt"], "ends in .png"),
        (["--out", "no/such/folder/x.png"], "there is no folder"),
        (["02-bend", "--out", "x.png"], "--save DIR"),
        (["02-bend", "--start", "1,1"], "there are 2 tracks"),
        (["--start", "one"], "expected a cell as X,Y"),
        (["--start", "0,0"], "off the track"),
        (["--start", "999,1"], "beyond the board of 40 columns and 6 rows"),
        (["--start", "1,1", "--every-start"], "leave --start out"),
    ],
)
def test_mistakes_are_told(capsys, arguments, what):
    told = solve(capsys, "01-straight", *arguments, code=2)
    assert what in told.err and not told.out


@pytest.mark.parametrize(
    "option", [["--line", "landing"], ["--finish", "cross"], ["--start", "1,1"], ["--every-start"]]
)
def test_the_races_options_are_of_the_race(capsys, option):
    assert (
        f"{option[0]} is an option of Grid race, not of Shover-World"
        in solve(capsys, "01-first-push", *option, code=2).err
    )


def test_no_track_is_written_over(tmp_path, capsys):
    Track.parse(LANE).write(tmp_path / "lane.png")
    before = (tmp_path / "lane.png").read_bytes()
    for option in (("--out", tmp_path / "lane.png"), ("--save", tmp_path)):
        assert "would overwrite the track" in solve(capsys, tmp_path / "lane.png", *option, code=2).err
    assert (tmp_path / "lane.png").read_bytes() == before
    solve(capsys, tmp_path / "lane.png", "--out", tmp_path / "way.png")
    solve(capsys, tmp_path / "lane.png", "--out", tmp_path / "way.png")  # a picture is


def test_a_track_file_has_one_track(capsys):
    told = solve(capsys, "01-straight", "--level", 2, code=2)
    assert "01-straight has no track 2: there is one track" in told.err and not told.out


def test_agents_drive_alone_and_are_compared(tmp_path, capsys):
    row = row_of(solve(capsys, "01-straight", "--agent", "optimal").out, "01-straight")
    assert (row["outcome"], row["steps"], row["penalties"]) == ("finished", "8", "0")
    assert main(["compare", "01-straight", "--agents", "optimal,planner", "--out", str(tmp_path)]) == 0
    assert "| track | agent | outcome | steps | penalties |" in (tmp_path / "compare.md").read_text()


# --- other commands


def test_maps_lists_the_tracks(capsys):
    assert main(["maps", "--game", "race"]) == 0
    told = capsys.readouterr().out
    for name in bundled_names():
        (row,) = [line for line in told.splitlines() if line.startswith(f"{name} ")]
        track = bundled(name)
        assert f" {track.rows}x{track.cols} " in row and track.title in row
        assert f" {planned(track).steps}, proved" in row


def test_watching_a_track_is_watching_the_best(tmp_path, capsys):
    assert main(["watch", put(tmp_path, "far.txt", LONG[1:]), "--terminal"]) == 0
    told = capsys.readouterr().out
    assert "far, played by optimal" in told and "finished after 4 steps" in told


def test_bench_measures_the_planner_too(capsys):
    assert main(["bench", "--game", "race", "--seconds", "0.01", "--games", "16"]) == 0
    assert re.search(r"[1-9][\d.,]* tracks/s +tracks solved with the fewest moves, proved", capsys.readouterr().out)

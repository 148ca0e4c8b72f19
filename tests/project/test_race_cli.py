"""Tests of commands for grid race tracks: detecting track files, `shover solve` and other commands, and errors."""

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
LONG = "SS.........F\n"  # the finish is 1 + 2 + 3 + 4 cells from the second start and one more from the first start
BENDS = """
SS......####
SS.......###
###....#..##
####..##...#
#........#.F
#.##.....#FF
"""


def write_file(folder, name, text):
    path = folder / name
    path.write_text(text)
    return str(path)


# --- detecting which game a file belongs to


@pytest.mark.parametrize(
    "text",
    [
        LANE,
        "// S and F\n" + LANE,
        "-1 1 0\n-1 0 100\n",
        "  0   1 -1\n  0 0 100\n",
        "-1 7 0\n",  # an invalid track, but even less similar to a level of another game
        "#S..?.F\n",
        "#...F\n",
        "#S...\n#.\n",
        "S S . F\n",
    ],
)
def test_track_files_are_recognised(tmp_path, text):
    assert game_at([write_file(tmp_path, "a.txt", text)]).name == "race"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("..B\n.A.\n", "shover"),
        ("0 0 10\n0 100 -100\n", "shover"),
        (
            "1 0 0 100\n",
            "shover",
        ),  # ambiguous: a box and a barrier, or a start and a finish; `--game race` selects the grid race
        ("#####\n#@$.#\n#####\n", "sokoban"),
        ("Title: SF\n#####\n#@$.#\n#####\n", "sokoban"),
        ("5#|#@$.#|5#\n", "sokoban"),
    ],
)
def test_level_files_for_other_games_are_not_recognised_as_tracks(tmp_path, text, game):
    path = write_file(tmp_path, "a.txt", text)
    assert game_at([path]).name == game and game_at([path], "race").name == "race"


def test_pictures_and_folders_of_tracks_are_recognised(tmp_path):
    Track.parse(LANE).write(tmp_path / "a.png")
    Image.new("RGB", (3, 3)).save(tmp_path / "black.bmp")
    for place in ("a.png", "black.bmp", "missing.png", ""):
        assert game_at([str(tmp_path / place)]).name == "race"


def test_a_folder_with_levels_and_a_picture_is_not_recognised_as_a_folder_of_tracks(tmp_path):
    write_file(tmp_path, "a.txt", "#####\n#@$.#\n#####\n")
    Image.new("RGB", (3, 3)).save(tmp_path / "shot.png")
    assert game_at([str(tmp_path)]).name == "sokoban"


def test_track_names_are_recognised_even_if_misspelt():
    assert game_at(["05-oval"]).name == game_at(["05-ovl"]).name == "race"
    with pytest.raises(MapNotFound, match=r"the collections are .*tracks"):
        game_at(["no-such-thing"])


def test_levels_for_two_games_cannot_be_mixed(tmp_path):
    with pytest.raises(ConfigError, match="one game at a time"):
        game_at([write_file(tmp_path, "a.txt", LANE), write_file(tmp_path, "b.txt", "..B\n")])


# --- shover solve


def solve(capsys, *arguments, code=0):
    """Run `shover solve` and return its stdout and stderr."""
    assert main(["solve", *map(str, arguments)]) == code
    return capsys.readouterr()


def row_of(text, name):
    """Return the table row of a track as a dict from column to value."""
    heads = next(line.split() for line in text.splitlines() if line.startswith("track "))
    (row,) = [line.split() for line in text.splitlines() if line.split()[:1] == [name]]
    return dict(zip(heads, row, strict=True))


def test_solve_prints_a_table_row_and_a_drawing_of_the_route_and_its_cells(tmp_path, capsys):
    output = solve(capsys, write_file(tmp_path, "lane.txt", LANE)).out
    row = row_of(output, "lane")
    assert (row["outcome"], row["size"], row["starts"], row["steps"], row["proved"]) == (
        "finished",
        "3x6",
        "2",
        "3",
        "yes",
    )
    *_, one, two, three, _, way = output.rstrip().splitlines()
    assert all((one + two + three).count(digit) == 1 for digit in "0123")
    assert one.endswith("3") and three.startswith("#") and three.endswith("#")
    cells = [tuple(map(int, cell.split(","))) for cell in way.split()]
    assert way.split()[0] == row["from"] and cells[-1] == (5, 0) and len(cells) == 4


def test_the_drawing_of_a_route_leaves_cells_between_landing_cells_empty(tmp_path, capsys):
    output = solve(capsys, write_file(tmp_path, "long.txt", LONG)).out
    drawn = output.rstrip().splitlines()[-3]
    assert re.fullmatch(r"S0[1-4 ]*4", drawn) and re.findall(r"\d", drawn) == list("01234")


@pytest.mark.parametrize("finish", ["land", "cross"])
@pytest.mark.parametrize("line", ["valid_line", "supercover", "landing"])
def test_solve_finds_the_same_number_of_moves_as_breadth_first_search(tmp_path, capsys, line, finish):
    path, cells = write_file(tmp_path, "bends.txt", BENDS), Track.parse(BENDS).cells.tolist()
    output = solve(capsys, path, "--line", line, "--finish", finish, "--every-start").out
    assert int(row_of(output, "bends")["steps"]) == fewest_moves(cells, None, line, finish)
    found = {}
    for moves, starts in re.findall(r"^ +(\d+) steps from (.*)$", output, re.MULTILINE):
        found.update({tuple(map(int, start.split(","))): int(moves) for start in starts.split()})
    assert found == from_every_start(cells, line, finish)


def test_a_preset_gives_the_same_result_as_its_rule_options(tmp_path, capsys):
    path = write_file(tmp_path, "bends.txt", BENDS)
    for preset, words in (("supercover", ("--line", "supercover")), ("cross", ("--finish", "cross"))):
        by_name, by_words = (row_of(solve(capsys, path, *w).out, "bends") for w in (("--rules", preset), words))
        assert by_name["steps"] == by_words["steps"]


def test_the_every_start_option_groups_start_cells_by_number_of_moves(tmp_path, capsys):
    output = solve(capsys, write_file(tmp_path, "long.txt", "S#..........\n" + LONG), "--every-start").out
    assert "     4 steps from 1,1\n" in output and "     5 steps from 0,0  0,1\n" in output
    output = solve(capsys, write_file(tmp_path, "part.txt", "SF#S\n"), "--every-start").out
    assert "     1 step from  0,0\n" in output and "no route from   3,0\n" in output


def test_the_start_option_sets_the_start_cell(tmp_path, capsys):
    path = write_file(tmp_path, "long.txt", LONG)
    assert row_of(solve(capsys, path).out, "long")["steps"] == "4"
    row = row_of(solve(capsys, path, "--start", "0,0").out, "long")
    assert (row["steps"], row["from"]) == ("5", "0,0")
    assert row_of(solve(capsys, path, "--start", "10,0").out, "long")["steps"] == "1"  # any cell can be the start cell


def test_a_track_is_proved_unsolvable_from_a_start_cell_without_a_route(tmp_path, capsys):
    row = row_of(solve(capsys, write_file(tmp_path, "part.txt", "S.F#.\n"), "--start", "4,0").out, "part")
    assert (row["outcome"], row["steps"], row["from"], row["proved"]) == ("unsolvable", "-", "-", "yes")


def test_the_log_option_prints_every_move_of_the_route(tmp_path, capsys):
    output = solve(capsys, write_file(tmp_path, "long.txt", LONG), "--log").out
    assert "     1  5  to 2,0  velocity 1,0\n" in output and "     4  5  to 11,0  velocity 4,0\n" in output


def test_solve_accepts_several_tracks_and_folders(tmp_path, capsys):
    write_file(tmp_path, "lane.txt", LANE)
    (tmp_path / "more").mkdir()
    Track.parse(LONG).write(tmp_path / "more" / "lane.png")
    output = solve(capsys, tmp_path, "01-straight", "--save", tmp_path / "out").out
    assert row_of(output, "lane")["steps"] == "3" and row_of(output, "more/lane")["steps"] == "4"
    assert row_of(output, "01-straight")["steps"] == "8" and "#" not in output
    out = tmp_path / "out"
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "01-straight.png", "01-straight.replay", "lane.png", "lane.replay", "more/lane.png", "more/lane.replay",
    ]  # fmt: skip


def test_the_name_of_the_collection_selects_all_packaged_tracks(capsys):
    output = solve(capsys, "tracks").out
    heading, *rows, empty, rules, total = output.splitlines()
    assert [line.split()[0] for line in rows] == list(bundled_names())
    assert heading.startswith("track ") and (empty, rules) == ("", "Rules: race")
    assert re.fullmatch(rf"{len(rows)} finished; {len(rows)} proved optimal; \d+\.\d s", total)


def test_saved_replays_pass_the_replay_check(tmp_path, capsys):
    solve(
        capsys,
        write_file(tmp_path, "bends.txt", BENDS),
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


def test_with_a_time_limit_of_zero_the_outcome_is_unknown(capsys):
    row = row_of(solve(capsys, "05-oval", "--time", 0, code=1).out, "05-oval")
    assert (row["outcome"], row["steps"], row["from"], row["proved"]) == ("unknown", ">=1", "-", "no")


# --- the picture


def test_the_picture_shows_the_route(tmp_path, capsys):
    output = solve(capsys, write_file(tmp_path, "long.txt", LONG), "--out", tmp_path / "way.png").out
    assert output.endswith(f"a picture of the route is in {tmp_path / 'way.png'}\n")
    picture = np.asarray(Image.open(tmp_path / "way.png")).astype(int)
    picture = picture[:, (picture.shape[1] - 12 * 32) // 2 :]  # the caption is wider than the track
    bare = way_picture(Track.parse(LONG), [(1, 0)], "").astype(int)
    middle = 16  # the middle of a cell in pixels; the side of a cell is 32 pixels
    changed = (picture[middle, : 12 * 32] != bare[middle, : 12 * 32]).any(axis=1)
    assert changed[2 * 32 : 11 * 32].all() and not changed[:32].any()
    for x in (2, 4, 7, 11):  # each landing cell has a dot with a white centre
        assert picture[middle, x * 32 + 16].min() > 200
    warmth = [picture[middle, x, 0] - picture[middle, x, 1] for x in (32 * 3 + 16, 32 * 5 + 28, 32 * 9 + 16)]
    assert all(slower < faster for slower, faster in pairwise(warmth))  # faster moves have warmer colours


def test_the_colours_of_moves_depend_on_their_speed():
    assert shade(0) == shade(-1) == SLOW_TO_FAST[0] and shade(1) == shade(9) == SLOW_TO_FAST[-1]


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1000, 3), (2, 1000)])
def test_pictures_of_extreme_sizes_can_be_drawn(rows, cols):
    cells = np.zeros((rows, cols), int)
    cells[0, 0], cells[-1, -1] = 1, 100
    picture = way_picture(
        Track(cells), [(0, 0), (cols - 1, rows - 1)], "a caption that is longer than the track is wide"
    )
    assert (
        picture.dtype == np.uint8 and max(picture.shape) <= 4200 and len(np.unique(picture.reshape(-1, 3), axis=0)) > 5
    )


# --- errors


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("#..F\n", "bad.txt: the track has no start cell"),
        ("-1 1 0\n", "bad.txt: the track has no finish cell"),
        ("S.#.F\n", "x=1 y=0: no finish can be reached"),
        ("S..F\nS.\n", "bad.txt, line 2: this row has 2 cells; expected 4"),
        ("-1 1 7 100\n", "bad.txt, line 1, column 6: '7'"),
        ("#S.?..F\n", "bad.txt, line 1, column 4: '?'"),
    ],
)
def test_an_invalid_track_text_is_reported(tmp_path, capsys, text, what):
    output = solve(capsys, write_file(tmp_path, "bad.txt", text), code=2)
    assert (
        what in output.err
        and output.err.startswith("shover solve: ")
        and output.err.count("\n") == 1
        and not output.out
    )


def test_an_invalid_track_picture_is_reported(tmp_path, capsys):
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
        output = solve(capsys, tmp_path / name, code=2)
        assert what in output.err and output.err.count("\n") == 1, output.err


def test_solve_continues_after_an_invalid_track(tmp_path, capsys):
    write_file(tmp_path, "a.txt", LANE)
    write_file(tmp_path, "b.txt", "S..\n")
    output = solve(capsys, tmp_path, code=2)
    assert row_of(output.out, "a")["outcome"] == "finished" and "b.txt: the track has no finish cell" in output.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--agent", "phase2-astar"], "does not play Grid race"),
        (["--objective", "pushes"], "must be one of 'steps'"),
        (["--rules", "phase2"], "supercover"),
        (["--time", "-1"], "time"),
        (["--out", "x.txt"], "ends in .png"),
        (["--out", "no/such/folder/x.png"], "does not exist"),
        (["02-bend", "--out", "x.png"], "--save DIR"),
        (["02-bend", "--start", "1,1"], "there are 2 tracks"),
        (["--start", "one"], "expected a cell as X,Y"),
        (["--start", "0,0"], "off the track"),
        (["--start", "999,1"], "outside the board of 40 columns and 6 rows"),
        (["--start", "1,1", "--every-start"], "omit --start"),
    ],
)
def test_invalid_options_are_reported(capsys, arguments, what):
    output = solve(capsys, "01-straight", *arguments, code=2)
    assert what in output.err and not output.out


@pytest.mark.parametrize(
    "option", [["--line", "landing"], ["--finish", "cross"], ["--start", "1,1"], ["--every-start"]]
)
def test_race_options_are_rejected_for_other_games(capsys, option):
    assert (
        f"{option[0]} is an option for Grid race, not for Shover-World"
        in solve(capsys, "01-first-push", *option, code=2).err
    )


def test_solve_does_not_overwrite_a_track(tmp_path, capsys):
    Track.parse(LANE).write(tmp_path / "lane.png")
    before = (tmp_path / "lane.png").read_bytes()
    for option in (("--out", tmp_path / "lane.png"), ("--save", tmp_path)):
        assert "would overwrite the track" in solve(capsys, tmp_path / "lane.png", *option, code=2).err
    assert (tmp_path / "lane.png").read_bytes() == before
    solve(capsys, tmp_path / "lane.png", "--out", tmp_path / "way.png")
    solve(capsys, tmp_path / "lane.png", "--out", tmp_path / "way.png")  # a picture of a route may be overwritten


def test_a_level_number_other_than_1_is_rejected_for_a_track(capsys):
    output = solve(capsys, "01-straight", "--level", 2, code=2)
    assert "01-straight has no track 2: there is one track" in output.err and not output.out


def test_solve_and_compare_run_agents_on_a_track(tmp_path, capsys):
    row = row_of(solve(capsys, "01-straight", "--agent", "optimal").out, "01-straight")
    assert (row["outcome"], row["steps"], row["penalties"]) == ("finished", "8", "0")
    assert main(["compare", "01-straight", "--agents", "optimal,planner", "--out", str(tmp_path)]) == 0
    assert "| level | agent | outcome | steps | penalties |" in (tmp_path / "compare.md").read_text()


# --- other commands


def test_the_maps_command_lists_the_tracks(capsys):
    assert main(["maps", "--game", "race"]) == 0
    output = capsys.readouterr().out
    for name in bundled_names():
        (row,) = [line for line in output.splitlines() if line.startswith(f"{name} ")]
        track = bundled(name)
        assert f" {track.rows}x{track.cols} " in row and track.title in row
        assert f" {planned(track).steps}, proved" in row


def test_watch_plays_a_track_with_the_optimal_agent(tmp_path, capsys):
    assert main(["watch", write_file(tmp_path, "far.txt", LONG[1:]), "--terminal"]) == 0
    output = capsys.readouterr().out
    assert "far, played by optimal" in output and "finished after 4 steps" in output


def test_bench_measures_the_planner(capsys):
    assert main(["bench", "--only", "race: bundled tracks", "--seconds", "0.01", "--rounds", "1"]) == 0
    assert re.search(r"[1-9][\d.]* k? ?tracks/s .* race: bundled tracks solved", capsys.readouterr().out)

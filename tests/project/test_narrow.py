"""Tests of tables in a terminal with 80 columns: no heading or number is truncated, and no line is too long."""

import re
from io import StringIO

import pytest

from shoverworld.agents import report, standings
from shoverworld.commands.tables import print_table
from shoverworld.core.reports import Column
from shoverworld.games import all_games, game_named
from shoverworld.registry import entries
from shoverworld.terminal.console import SafeConsole
from tests.commands import run_shover

ALL = ("shover", "sokoban", "race")
LEVELS = {"shover": "01-first-push", "sokoban": "tiny", "race": "tracks"}


def shover(*arguments, columns=80, cwd=None, fresh=False):
    """Run a command in a terminal of this width; the output goes to a pipe, so that no terminal wraps its lines."""
    run = run_shover(*arguments, cwd=cwd, variables={"COLUMNS": str(columns)}, fresh=fresh)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def assert_fits(output, headings, columns=80):
    lines = output.splitlines()
    assert lines and max(map(len, lines)) <= columns, max(lines, key=len)
    assert not re.search(r"[\d.,]…|…[\d.,]", output)
    words = re.split(r"\s{2,}|\n", output)
    for heading in headings:
        assert heading in words or heading in output.split(), heading
    assert "…" not in lines[0]


def test_compare_shows_every_number_in_full(tmp_path):
    (tmp_path / "an_agent_with_a_very_long_name.py").write_text(
        "class TheOneAndOnlyAgent:\n    def act(self, obs, info):\n        return 0, 0, 1\n"
    )
    agents = f"greedy,phase2-astar,{tmp_path}/an_agent_with_a_very_long_name.py:TheOneAndOnlyAgent"
    output = shover("compare", "02-chains", "06-strength-marks", "--agents", agents, "--out", "out", cwd=tmp_path)
    table = output[: output.index("Saved")]
    assert_fits(table, report.headings(game_named("shover")))
    for row in (tmp_path / "out" / "compare.md").read_text().splitlines()[6:9]:
        _, *numbers = (cell.strip() for cell in row.strip("|").split("|"))
        assert all(number in table.split() for number in numbers), row


def test_tournament_shows_every_number_in_full(tmp_path):
    output = shover(
        "tournament", "01-straight", "--cars", 3, "--players", "greedy,optimal,racer", "--out", "out", cwd=tmp_path
    )
    assert_fits(output[: output.index("6 games")], standings.headings(game_named("race")))


@pytest.mark.parametrize("game", ALL)
def test_solve_shows_every_number_in_full(game, tmp_path):
    output = shover("solve", LEVELS[game], "--time", 1)
    found = game_named(game)
    headings = [found.level_word, "outcome", *found.figures, "proved", "expanded", "seconds"]
    assert_fits(output.split("\n\n")[0], headings)
    rows = re.findall(r"(?:cleared|solved|finished) .*", output)
    assert rows and all(re.search(r"\d+\.\d\d$", row) for row in rows)


def test_solve_does_not_truncate_long_names(tmp_path):
    name = "a-level-with-" + "a-very-" * 8 + "long-name"
    (tmp_path / f"{name}.txt").write_text("..B..\nA....\n...L.\n")
    output = shover("solve", tmp_path, "--time", 1)
    assert name in output.split() and "seconds" in output.split() and re.search(r"cleared +3 +930", output)


@pytest.mark.parametrize("game", ALL)
def test_maps_shows_every_number_in_full(game):
    found = game_named(game)
    output = shover("maps", "--game", game)
    assert_fits(output, ["name"])
    collections = found.levels.collections()
    names = [board.name for board in found.levels.boards()] if len(collections) == 1 else [c.name for c in collections]
    assert all(name in output.split() for name in names)


def test_envs_lists_every_id_and_every_number():
    output = shover("envs")
    assert_fits(output, [entry.id for entry in entries()])
    for game in all_games().values():
        assert all(column in output for column in game.reports.id_columns)


def test_bench_shows_every_number_in_full():
    output = shover("bench", "--seconds", 0.001, "--rounds", 2, "--only", "batch of 64", fresh=True)
    assert_fits(output, ["median", "quartiles", "target", "line", "steps/s"])
    assert re.search(
        r"^ +[\d.]+ [kM] steps/s  [\d.]+ [kM] to [\d.]+ [kM] +≥ 23.4 M \w+ +sokoban: batch of 64$", output, re.M
    )


# --- the tables themselves


def printed(columns, rows, width):
    paper = StringIO()
    print_table(SafeConsole(file=paper, width=width, force_terminal=True, color_system=None), columns, rows)
    return paper.getvalue()


def test_columns_that_do_not_fit_are_moved_to_a_second_table():
    columns = [Column("agent"), *(Column(f"figure {number}", True) for number in range(9))]
    rows = [("greedy", *map(str, range(1000, 1009))), ("a-longer-name", *map(str, range(2000, 2009)))]
    output = printed(columns, rows, 50)
    assert max(map(len, output.splitlines())) <= 50 and output.count("agent") == output.count("greedy") > 1
    assert all(text in output for text in ("figure 8", "1008", "2008", "a-longer-name"))
    wide = printed(columns, rows, 200)
    assert wide.count("agent") == 1 and len(wide.splitlines()) == 4


def test_text_is_wrapped_before_numbers_are_moved_to_a_second_table():
    columns = [Column("name"), Column("size", True), Column("about", wraps=True), Column("best")]
    rows = [("one", "12x34", "a description of many words that does not fit at all", "8, proved")]
    output = printed(columns, rows, 50)
    assert output.count("name") == 1 and "12x34" in output and "8, proved" in output
    assert " ".join(output.split()).replace("8, proved ", "").endswith("fit at all")
    assert max(map(len, output.splitlines())) <= 50

"""Tests of tournaments: pairings, scoring, and players that fail."""

import csv

import pytest

from shoverworld.agents import standings, tournament
from shoverworld.agents.tasks import tasks_at
from shoverworld.agents.tournament import Fixture, fixtures
from shoverworld.cli import main
from shoverworld.core.errors import MapNotFound
from shoverworld.core.ui import Board
from shoverworld.games import game_named
from shoverworld.games.race.boards import Grid
from shoverworld.games.race.tracks import Track, bundled

RACE = game_named("race")

PATIENCE = 600.0  # time limit in seconds; no game takes this long


def board(track):
    return Board(track.name, "race", Grid(track))


def race(track, players, seed=0, patience=PATIENCE):
    return tournament.run(RACE, Fixture(board(track), players, seed), {}, patience)


def test_every_pair_of_players_plays_in_every_order():
    games = list(fixtures([board(bundled("01-straight"))], ["a", "b", "c"], 2, range(2)))
    assert [game.players for game in games[:6]] == [
        ("a", "b"),
        ("b", "a"),
        ("a", "c"),
        ("c", "a"),
        ("b", "c"),
        ("c", "b"),
    ]
    assert [game.seed for game in games] == [0] * 6 + [1] * 6
    assert len(list(fixtures([board(bundled("05-oval"))] * 3, ["a", "b", "c"], 3, range(1)))) == 9


def test_results_contain_places_and_points_and_statistics():
    track = Track.parse("S....F\n......\nS....#", "lane")
    results = race(track, ("optimal", "racer"))
    assert [(r.level, r.seat, r.player) for r in results] == [("lane", 1, "optimal"), ("lane", 2, "racer")]
    assert all(r.finished and r.error is None and r.moves == r.figures[0] >= (r.best or 99) for r in results)
    assert sum(r.points for r in results) == 1 and min(r.place for r in results) == 1


def test_players_with_the_same_number_of_steps_share_a_place_and_get_half_a_point_each():
    track = Track.parse("S....F\n######\nS....F", "two lanes")
    results = race(track, ("optimal", "racer"))
    assert [(r.figures, r.best, r.place, r.points) for r in results] == [((3, 0), 3, 1, 0.5)] * 2
    assert standings.duels(results) == {("optimal", "racer"): (0, 1, 0), ("racer", "optimal"): (0, 1, 0)}
    assert [s.share for s in standings.standings(results)] == [0.5, 0.5]


BROKEN = """
class Crashes:
    def act(self, obs, info):
        raise RuntimeError("flat tyre")

class Wild:
    def act(self, obs, info):
        return 99
"""


def test_failing_players_lose_and_the_other_players_continue(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    players = (f"{file}:Crashes", "optimal", f"{file}:Wild")
    results = race(bundled("05-oval"), players, 1)
    crashes, optimal, wild = results
    assert "flat tyre" in (crashes.error or "") and "move 1" in (crashes.error or "")
    assert "expected an integer from 0 to 8" in (wild.error or "")
    assert optimal.finished and optimal.place == 1 and optimal.points == 2
    assert crashes.place == wild.place == 2 and crashes.points == wild.points == 0.5
    assert not crashes.finished and not wild.finished


def test_a_player_that_runs_out_of_time_loses_the_race():
    results = race(bundled("01-straight"), ("optimal", "greedy"), patience=0.0)
    assert all("exceeded the limit of 0 s" in (r.error or "") for r in results)
    assert [(r.place, r.points, r.finished) for r in results] == [(1, 0.5, False)] * 2
    assert standings.standings(results)[0].first == 0


def test_tracks_can_be_given_as_names_or_files_or_folders(tmp_path):
    bundled("02-bend").write(tmp_path / "b.png")
    bundled("03-s-bend").write(tmp_path / "a.txt")
    (tmp_path / "notes.md").write_text("no track")
    found = [task.board.level.track for task in tasks_at(RACE, ["01-straight", str(tmp_path)])]
    assert found == [bundled("01-straight"), bundled("03-s-bend"), bundled("02-bend")]
    (tmp_path / "empty").mkdir()
    (error,) = tasks_at(RACE, [str(tmp_path / "empty")])
    assert isinstance(error, MapNotFound) and "the folder contains no track files" in str(error)


def test_the_command_writes_csv_and_markdown_tables(tmp_path, capsys):
    asked = ["tournament", "02-bend", "04-hairpin", "--players", "greedy,racer", "--races", "1", "--out", str(tmp_path)]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert shown.index("racer") < shown.index(
        "greedy"
    ) and "4 games with 2 players each on 2 tracks, seed 0" in " ".join(shown.split())
    with open(tmp_path / "tournament.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 and {row["player"] for row in rows} == {"greedy", "racer"}
    assert sum(float(row["points"]) for row in rows) == 4
    text = (tmp_path / "tournament.md").read_text(encoding="utf-8")
    assert "| player | points |" in text and "04-hairpin" in text and "Head-to-head wins, draws and losses" in text


def test_the_command_generates_random_tracks(tmp_path, capsys):
    asked = ["tournament", "--random", "2", "--races", "1", "--players", "optimal,racer", "--out", str(tmp_path)]
    assert main(asked) == 0
    assert "4 games with 2 players each on 2 tracks" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--players", "racer"], "at least two players"),
        (["--players", "racer,racr"], "did you mean 'racer'"),
        (["--players", "racer,phase2-astar"], "does not play Grid race"),
        (["--cars", "5"], "--cars 5: there are only 4 players (greedy, optimal, racer, tactician)"),
        (["--cars", "1"], "cars=1"),
        (["--races", "0"], "races=0"),
        (["--penalty", "-1"], "penalty"),
        (["--patience", "-1"], "patience"),
        (["--seed", "-1"], "seed"),
        (["nowhere.txt"], "nowhere.txt"),
    ],
)
def test_invalid_options_are_reported(arguments, what, tmp_path, capsys):
    assert main(["tournament", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert what in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_track_with_too_few_start_cells_is_reported(tmp_path, capsys):
    (tmp_path / "one.txt").write_text("S..F\n")
    assert main(["tournament", str(tmp_path / "one.txt"), "--out", str(tmp_path)]) == 2
    assert "one.txt has room for only 1 player" in capsys.readouterr().err

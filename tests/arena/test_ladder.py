"""The live ladder: ratings that follow the games, a file that survives, and no game counted twice."""

from dataclasses import replace
from pathlib import Path

import pytest

from shoverworld.arena.ladder import START_SIGMA, Ladder
from shoverworld.arena.records import Results
from shoverworld.core.errors import ConfigError
from tests.arena import made_up

pytest.importorskip("openskill")
STUDENTS = ["a", "b", "c", "d"]


def test_better_players_rise_and_uncertainty_falls():
    ladder = Ladder()
    results = made_up.match_results(STUDENTS, rounds=6)
    assert ladder.add(results) == len(results.matches) > 50
    table = ladder.table()
    assert table[0].name == "a" and table[-1].name == "d"
    assert all(player.sigma < START_SIGMA and player.rating == player.mu - 3 * player.sigma for player in table)


def test_a_game_counts_once_and_the_file_keeps_everything(tmp_path: Path):
    path, results = tmp_path / "ladder.json", made_up.match_results(STUDENTS)
    ladder = Ladder.read(path)
    assert ladder.add(results) == 48 and ladder.add(results) == 0
    ladder.write(path)
    again = Ladder.read(path)
    assert again.table() == ladder.table() and again.add(results) == 0
    assert [len(player.history) for player in again.table()] == [1, 1, 1, 1]


def test_games_of_the_same_students_in_another_turn_order_count_too():
    match = made_up.match_results(STUDENTS).matches[0]
    ladder = Ladder()
    matches = (match, replace(match, seats=match.seats[::-1]))
    assert ladder.add(Results((), (), matches=matches)) == 2
    assert {player.games for player in ladder.table()} == {2}


def test_a_new_version_plays_again_and_is_uncertain():
    results = made_up.match_results(STUDENTS, rounds=8)
    ladder = Ladder()
    ladder.add(results)
    before = replace(ladder.players["a"])
    changed = tuple(replace(s, digest="new") if s.student == "a" else s for s in results.submissions)
    ladder.submit("a", "new")
    assert ladder.players["a"].sigma > before.sigma and ladder.players["a"].mu == before.mu
    assert ladder.add(replace(results, submissions=changed)) == sum(
        "a" in (seat.student for seat in match.seats) for match in results.matches
    )


def test_levels_of_single_players_are_games_between_all_students():
    ladder = Ladder()
    assert ladder.add(made_up.results(STUDENTS, count=6)) == 6
    assert {player.games for player in ladder.table()} == {6}
    assert ladder.players["a"].mu > ladder.players["d"].mu


def test_players_with_the_same_rating_share_a_place():
    ladder = Ladder()
    ladder.play("1", {"d": 2, "a": 1, "c": 2, "b": 2})
    assert [player.name for player in ladder.table()] == ["a", "b", "c", "d"]
    assert ladder.places() == ["1", "2=", "2=", "2="]


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": "other"}', "[" * 100_000, '{"format": "shoverworld ladder 1"}']
)
def test_a_file_that_is_not_a_ladder_is_named(tmp_path: Path, content: str):
    path = tmp_path / "ladder.json"
    path.write_text(content)
    with pytest.raises(ConfigError, match=r"ladder\.json: not a ladder"):
        Ladder.read(path)

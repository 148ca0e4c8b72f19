"""An unfinished game is stored when the player leaves, and it can be continued in another run."""

import os

import pytest

from shoverworld import Map, sokoban
from shoverworld.core.ui import Act, Board
from shoverworld.games import game_named
from shoverworld.play import unfinished
from shoverworld.play.players import Player
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

GAME = game_named("shover")
BOARD = Board("drawn", "milestone1", Map.parse("A . B . . L\n. . . . . ."), "Drawn", path="maps/drawn.txt")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def sit_down():
    """Return a function that opens a table on a board. The tables are closed after the test."""
    tables = []

    def open_one(board=BOARD, preset="walker", game=GAME, players=(), **options):
        session = Session(game, board, preset, seed=0, players=players)
        tables.append(GameTable(session, Settings(game=game.name), Records(), **options))
        return tables[-1]

    yield open_one
    for one in tables:
        one.keeps = False
        one.close()


def test_the_next_run_offers_the_unfinished_game_and_restores_its_moves_and_the_help_used(sit_down):
    table = sit_down()
    for key in ("right", "right", "down"):
        table.press(key)
    table.session.helped_by("hint")
    state = table.session.env.state_hash()
    assert table.keep_unfinished() == ""

    again = sit_down()
    assert again.message.text == "You left a game on this map after 3 moves. Press T to continue it."
    assert "continue" in again.offered and again.session.moves == 0
    again.press("t")
    session = again.session
    assert session.moves == 3 and session.env.state_hash() == state and session.helpers == ["hint"]
    assert (session.board.name, session.board.title, session.board.path) == ("drawn", "Drawn", "maps/drawn.txt")
    assert session.preset == "walker" and session.board.preset == "milestone1"
    assert again.message.text == "Continuing after 3 moves." and "continue" not in again.offered
    again.press("u")
    assert session.moves == 2, "the moves can be undone"


def test_the_offer_disappears_after_the_first_move_of_a_new_game(sit_down):
    table = sit_down()
    table.press("right")
    table.keep_unfinished()
    again = sit_down()
    again.press("down")
    assert "continue" not in again.offered and not again.press("t")


def test_an_unfinished_game_is_offered_only_on_the_same_level_with_the_same_rules(sit_down):
    table = sit_down()
    table.press("right")
    table.keep_unfinished()
    assert sit_down(preset="milestone1").unfinished is None
    assert sit_down(board=Board("other", "walker", BOARD.level)).unfinished is None
    found = unfinished.latest(GAME)
    assert found is not None and (found.title, found.moves) == ("Drawn", "1 move")
    assert unfinished.latest(game_named("sokoban")) is None
    board, preset = found.start()
    assert (board.name, board.path, preset) == ("drawn", "maps/drawn.txt", "walker")


def test_a_game_on_an_older_version_of_the_level_file_is_not_offered(tmp_path):
    file = tmp_path / "dock.txt"
    file.write_text("A . B . . L\n. . . . . .\n")
    board = GAME.levels.read(str(file))
    session = Session(GAME, board, "walker", seed=0)
    session.do(Act((0, 1, 2)))
    unfinished.keep(session)
    assert unfinished.left_on(GAME, board, "walker") is not None
    later = file.stat().st_mtime + 100
    os.utime(file, (later, later))
    assert unfinished.left_on(GAME, board, "walker") is None


def test_games_on_other_levels_are_stored_too(sit_down):
    table = sit_down(board=GAME.levels.boards()[0], preset=None)
    table.press("right")
    table.press("tab")
    table.press("right")
    assert table.session.moves == 1
    table.keep_unfinished()
    for board in GAME.levels.boards()[:2]:
        assert unfinished.left_on(GAME, board, board.preset) is not None, board.name


def test_games_that_are_not_worth_keeping_are_not_stored(sit_down, home):
    untouched, watched, test, won = sit_down(), sit_down(), sit_down(keeps=False), sit_down()
    watched.session.do(Act((0, 0, 3)), by="greedy")
    test.press("right")
    for key in ["right"] * 5:
        won.press(key)
    assert won.session.outcome == "cleared"
    for table in (untouched, watched, test, won):
        assert table.keep_unfinished() == ""
    assert not (home / "unfinished").exists()


def test_winning_a_level_deletes_its_unfinished_game(sit_down):
    table = sit_down()
    table.press("down")
    table.keep_unfinished()
    again = sit_down()
    for key in ["right"] * 5:
        again.press(key)
    assert again.session.outcome == "cleared" and sit_down().unfinished is None


def test_a_damaged_file_is_reported_and_set_aside(sit_down, home):
    table = sit_down()
    table.press("right")
    table.keep_unfinished()
    (path,) = (home / "unfinished").iterdir()
    path.write_text(path.read_text().replace("1  0 1 2", "1  1 0 3"))
    again = sit_down()
    again.press("t")
    assert "cannot be used" in again.message.text and again.message.tone == "bad"
    assert [one.name for one in (home / "unfinished").iterdir()] == [f"{path.name}.corrupt-1"]
    path.write_text("rubbish")
    assert sit_down().unfinished is None and unfinished.latest(GAME) is None


def test_only_the_latest_games_are_kept(home, monkeypatch):
    monkeypatch.setattr(unfinished, "MOST", 3)
    for number in range(5):
        session = Session(GAME, Board(f"map {number}", "walker", BOARD.level), seed=0)
        session.do(Act((0, 0, 3)))
        unfinished.keep(session)
    assert len(list((home / "unfinished").iterdir())) == 3
    found = unfinished.latest(GAME)
    assert found is not None and found.title == "map 4"


def test_a_game_that_cannot_be_stored_is_reported(sit_down, home):
    home.mkdir()
    (home / "unfinished").write_text("a file in place of a folder")
    table = sit_down()
    table.press("right")
    assert table.keep_unfinished().startswith("The unfinished game is lost: ")


def test_sokoban_games_and_games_with_several_players_can_be_continued(sit_down):
    race = game_named("race")
    players = (Player("Ann"), Player("greedy", "greedy"))
    table = sit_down(race.levels.boards()[3], "race", race, players)
    table.press("6")
    state = table.session.env.state_hash()
    table.keep_unfinished()
    again = sit_down(race.levels.boards()[3], "race", race, players)
    assert again.message.text.startswith("You left a game on this track after 1 move.")
    again.press("t")
    assert again.session.env.state_hash() == state and again.session.players == players

    other = game_named("sokoban")
    board = Board("drawn", "sokoban", sokoban.Level.parse("#######\n#@ $ .#\n#######"), "Drawn")
    first = sit_down(board, "sokoban", other)
    first.press("right")
    first.keep_unfinished()
    second = sit_down(board, "sokoban", other)
    second.press("t")
    assert second.session.moves == 1 and second.session.board.title == "Drawn"

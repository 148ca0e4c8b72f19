"""Copying and pasting levels and moves: each game writes and reads its own notation."""

import re

import pytest

from shoverworld import Map, sokoban
from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.play import clipboard
from shoverworld.play.clipboard import IllegalMove, PastedLevels, level_text, levels_in, pasted, replay_of_moves
from shoverworld.play.players import Player
from shoverworld.play.records import Records
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

SOKOBAN, SHOVER, RACE = game_named("sokoban"), game_named("shover"), game_named("race")
LEVEL = "#######\n#@ $ .#\n#######\n"
TWO = f"; One\n{LEVEL}\n; Two\n######\n#@$. #\n######\n"


class Memory:
    """A clipboard in memory."""

    def __init__(self, text=""):
        self.text = text

    def put(self, text):
        self.text = text

    def get(self):
        return self.text


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def board_of(text, preset="sokoban"):
    if preset in ("milestone1", "walker", "phase2"):
        return Board("drawn", preset, Map.parse(text), "Drawn")
    return Board("drawn", preset, sokoban.Level.parse(text), "Drawn")


@pytest.fixture
def open_table():
    made = []

    def open_one(game=SOKOBAN, text=LEVEL, preset="sokoban", **options):
        board = board_of(text, preset)
        table = GameTable(Session(game, board, seed=0), Settings(game=game.name), Records(), **options)
        table.clipboard, table.watched = Memory(), []
        table.on_replay = table.watched.append
        made.append(table)
        return table

    yield open_one
    for one in made:
        one.close()


# --- notations


@pytest.mark.parametrize(
    ("game", "text", "preset", "keys", "moves"),
    [
        (SOKOBAN, LEVEL, "sokoban", ["right", "right", "left"], "rRl"),
        (SOKOBAN, "#######\n#.$@  #\n#######", "pull", ["shift+right", "left"], "<rL"),
        (SOKOBAN, "########\n#@ $ .@#\n########", "two", ["right", "a"], "r+l"),
        (SHOVER, "A . B . L\n. . . . .", "walker", ["right", "right", "down", "."], "r R d ."),
        (SHOVER, "A . B . L\n. . . . .", "milestone1", ["down", "right"], "1,0d 1,1r"),
        (SHOVER, "A B B .\n. B B .\n. . . L", "walker", ["b"], "B"),
    ],
)
def test_copied_moves_are_in_the_notation_of_the_game_and_reproduce_the_game(
    open_table, game, text, preset, keys, moves
):
    table = open_table(game, text, preset)
    for key in keys:
        assert table.press(key.removeprefix("shift+"), shift=key.startswith("shift+"))
    table.copy_moves()
    assert table.clipboard.text == moves and moves in table.message.text
    replay = replay_of_moves(game, table.session.board, moves, preset, seed=0)
    assert replay.moves == table.session.replay().moves


def test_a_free_move_has_its_own_symbol_in_copied_moves(open_table):
    table = open_table(SHOVER, "A . B . L\n. . . . .", "milestone1")
    table.click((1, 3))
    table.click((0, 2))
    table.press("right")
    table.copy_moves()
    assert table.clipboard.text == "@1,3 0,2R"
    table.paste(table.clipboard.text)
    assert [move.place for move in table.watched[0].moves] == [True, False]


def test_race_moves_are_copied_as_digits_even_with_several_players():
    board, players = RACE.levels.boards()[0], (Player("Ann"), Player("Bob"))
    session = Session(RACE, board, seed=0, players=players)
    table = GameTable(session, Settings(game="race"), Records())
    table.clipboard = Memory()
    for key in "6656":
        table.press(key)
    table.copy_moves()
    assert table.clipboard.text == "6656"
    watched = []
    table.on_replay = watched.append
    table.paste("66\n56")
    assert watched[0].moves == session.replay().moves and "players" in watched[0].notes
    table.close()


@pytest.mark.parametrize("name", list(all_games()))
def test_a_plan_for_any_game_round_trips_through_the_notation_of_that_game(name):
    game = game_named(name)
    board = game.levels.boards()[0]
    session = Session(game, board, seed=0)
    actions = game.plan(session.env, session.state, time_limit=20.0).actions
    for action in actions:
        session.env.step(action)
    cursor = ReplayCursor(session.replay())
    cursor.go(2)
    written = cursor.written(clipboard.Guard(pytest.fail))
    assert len(written.before) == 2 and len(written.after) == len(actions) - 2
    text = written.separator.join((*written.before, *written.after))
    assert replay_of_moves(game, board, text, seed=0).end.outcome == game.won


def test_undone_moves_are_listed_after_the_current_position(open_table):
    table = open_table()
    for key in ("right", "right", "left"):
        table.press(key)
    table.press("u")
    assert table.moves() == (("r", "R"), ("l",), "")
    table.press("r")
    assert table.moves() == ((), ("r", "R", "l"), "")


def test_run_length_encoding_and_letters_of_either_case_are_accepted():
    board = board_of("##########\n#@  $   .#\n##########")
    assert replay_of_moves(SOKOBAN, board, "2r4R").end.outcome == "solved"
    assert replay_of_moves(SOKOBAN, board, "rr\nrrrr\n").end.outcome == "solved"


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ("ru", IllegalMove, "move 2 is 'u': up: a wall is in the way"),
        ("rRRl", IllegalMove, r"the game is over \(solved\) after move 3 of 4"),
        ("<r", IllegalMove, "these rules do not allow pulling"),
        ("+r", IllegalMove, "only one player"),
        ("hello", ConfigError, "'hello' contains no moves for Sokoban; expected LURD letters"),
        ("30000r", ConfigError, "30,000 moves; expected at most 20,000"),
        ("3(r", ShoverWorldError, "run-length"),
    ],
)
def test_a_wrong_solution_is_reported_with_the_position_and_the_reason(moves, error, message):
    with pytest.raises(error, match=message):
        replay_of_moves(SOKOBAN, board_of(LEVEL), moves)


# --- levels


@pytest.mark.parametrize("name", list(all_games()))
def test_a_copied_level_is_recognised_and_keeps_its_records(name):
    game = game_named(name)
    for board in game.levels.boards()[:5]:
        found = levels_in(level_text(game, board, board.preset), SOKOBAN)
        assert found.game is game and len(found.boards) == 1
        assert game.levels.identity(found.boards[0], board.preset) == game.levels.identity(board, board.preset)


def test_pasting_a_level_opens_it_and_keeps_the_previous_game(open_table):
    table = open_table()
    table.press("right")
    table.clipboard.text = "; Tiny\n######\n#@$. #\n######\n"
    table.press("ctrl+v")
    assert table.title == "Tiny" and table.message.text == "Opened the pasted level."
    table.press("right")
    assert table.session.outcome == "solved"
    table.press("c")
    assert sokoban.Level.parse(table.clipboard.text.partition("\n")[2]) == table.session.board.level
    table.paste(LEVEL)
    assert table.session.moves == 0


def test_several_pasted_levels_form_a_collection(open_table, home):
    table = open_table()
    table.paste(TWO)
    assert (
        table.title == "One" and len(table.levels) == 2 and "Opened the first of 2 pasted levels" in table.message.text
    )
    assert next((home / "pasted").iterdir()).read_text() == TWO
    table.press("tab")
    assert table.title == "Two"


def test_pasting_a_level_for_another_game_switches_to_that_game(open_table):
    table = open_table()
    table.paste("// The dock\n// rules: walker\nA . B . L\n")
    assert table.game is SHOVER and table.title == "The dock" and table.session.preset == "walker"
    assert table.settings.game == "shover"
    opened = []
    table.on_other_game = opened.append
    table.paste(LEVEL)
    assert isinstance(opened[0], PastedLevels) and opened[0].game is SOKOBAN and table.game is SHOVER


# --- pasting


def test_pasted_moves_are_shown_as_a_replay_and_the_game_is_kept(open_table):
    table = open_table()
    table.press("right")
    table.paste("rRR")
    assert table.watched[0].end.outcome == "solved" and table.session.moves == 1
    table.paste(table.watched[0].to_text())
    assert isinstance(table.watched[1], Replay) and table.watched[1] == table.watched[0]


@pytest.mark.parametrize("text", ["", "  \n", "rRRu", "what is this?", "shoverworld replay 1\nnonsense", "\0\x1b[31m"])
def test_unusable_text_is_reported(open_table, text):
    table = open_table()
    table.paste(text)
    assert table.message.tone == "bad" and table.message.text and not table.watched and table.game is SOKOBAN


@pytest.mark.parametrize(
    ("game", "text", "preset", "moves", "message"),
    [
        (SOKOBAN, LEVEL, "sokoban", "dlURRRzz", "letter 7 is 'z' and letter 8 is 'z'; expected LURD letters"),
        (SOKOBAN, LEVEL, "sokoban", "rr\nrkRR", "letter 4 is 'k'; expected LURD letters"),
        (SOKOBAN, LEVEL, "sokoban", "2r4(uL)x", "letter 8 is 'x'; expected LURD letters"),
        (SHOVER, "A . B . L", "walker", "r R . x R", "move 4 is 'x'; expected letters for directions"),
        (SHOVER, "A . B . L", "milestone1", "0,2R 0,3K 0,3R 0,3R", "move 2 is '0,3K'; expected letters for"),
    ],
)
def test_a_typo_in_pasted_moves_is_reported_with_its_position(open_table, game, text, preset, moves, message):
    table = open_table(game, text, preset)
    table.paste(moves)
    assert message in table.message.text and f"is not a list of moves for {game.title}: " in table.message.text
    assert table.message.tone == "bad" and not table.watched
    with pytest.raises(ConfigError, match=re.escape(message)):
        replay_of_moves(game, board_of(text, preset), moves, preset)


@pytest.mark.parametrize("text", ["hello", "xyz", "rrxyz", "z" * 50_000])
def test_text_that_does_not_resemble_moves_is_not_reported_as_moves_with_typos(open_table, text):
    table = open_table()
    table.paste(text)
    assert "contains neither a level nor moves" in table.message.text


def test_a_level_that_resembles_moves_is_still_a_level(open_table):
    table = open_table(SHOVER, "A . B . L", "walker")
    table.paste("L . B . A")  # without the A, these would be moves
    assert table.message.text == "Opened the pasted map."


def test_text_that_is_too_long_is_rejected_at_once(open_table, monkeypatch):
    monkeypatch.setattr(clipboard, "LONGEST", 100)
    with pytest.raises(ConfigError, match="too long"):
        pasted("r" * 101, SOKOBAN)


def test_copying_and_pasting_are_offered_only_if_there_is_a_clipboard(open_table):
    table = open_table()
    assert {"copy", "copy moves", "paste"} <= set(table.offered)
    table.press("c", shift=True)
    assert table.message.text == "There are no moves to copy yet."
    table.clipboard = None
    assert not {"copy", "copy moves", "paste"} & set(table.offered)

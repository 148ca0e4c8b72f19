"""Collections of levels, finding a level by name or path, and the settings of each game."""

import json
from pathlib import Path

import pytest

from shoverworld.core.errors import ConfigError, ShoverWorldError
from shoverworld.core.ui import Act
from shoverworld.games import game_named
from shoverworld.play.levels import LevelList
from shoverworld.play.places import find
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings, place

LEVELS = """; One push
#####
#@$.#
#####

; Two pushes
######
#@$ .#
######

; Again one
#####
#.$@#
#####
"""
MAP = "// A map\n// rules: walker\nA.BL\n"
RIGHT, LEFT = 4, 3  # the environment's codes for pushes


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def levels(tmp_path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(LEVELS)
    return path


def solved(level_list: LevelList, at: int, *actions: int) -> Session:
    session = Session(level_list.game, level_list.boards[at])
    for action in actions:
        session.do(Act(action))
    assert session.score is not None
    return session


# --- collections


def test_a_level_list_shows_which_levels_are_solved(levels):
    records, _ = Records.load()
    level_list = LevelList(game_named("sokoban"), str(levels), records)
    assert (level_list.title, len(level_list), level_list.progress) == ("three", 3, "0 of 3 solved")
    assert [level_list.label(at) for at in range(3)] == ["1  One push", "2  Two pushes", "3  Again one"]
    assert level_list.next_unsolved() == 0 and level_list.next_unsolved(0) == 1 and level_list.next_unsolved(2) == 0
    assert records.note(solved(level_list, 0, RIGHT))
    assert records.note(solved(level_list, 2, LEFT))
    assert (
        level_list.progress == "2 of 3 solved" and level_list.next_unsolved(1) == 1 and level_list.next_unsolved() == 1
    )
    assert (
        level_list.best(0).numbers == (1, 1)
        and level_list.best(0).words == "1 push, 1 move"
        and level_list.best(1) is None
    )
    assert records.note(solved(level_list, 1, RIGHT, RIGHT))
    assert level_list.next_unsolved(0) is None
    again = LevelList(game_named("sokoban"), str(levels), Records.load()[0])
    assert again.progress == "3 of 3 solved", "records are saved on disk and found by the content of the level"


def test_levels_are_searched_by_number_and_title(levels):
    level_list = LevelList(game_named("sokoban"), str(levels))
    assert level_list.search("2") == [1] and level_list.search("#3") == [2]
    assert (
        level_list.search("PUSH") == [0, 1]
        and level_list.search("nothing") == []
        and level_list.search(" ") == [0, 1, 2]
    )


def test_a_collection_is_reloaded_if_its_file_has_changed(levels):
    assert len(LevelList(game_named("sokoban"), str(levels))) == 3
    levels.write_text(LEVELS.split("; Again")[0])
    assert len(LevelList(game_named("sokoban"), str(levels))) == 2


def test_levels_with_the_same_name_have_different_keys(tmp_path):
    (tmp_path / "same").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "same" / name).write_text(LEVELS)
    level_list = LevelList(game_named("sokoban"), str(tmp_path / "same"))
    assert len(level_list) == 6 and len(set(level_list.keys)) == 6
    assert [level_list.place_of(board) for board in level_list.boards] == list(range(6))


# --- finding levels


def test_the_game_is_detected_from_the_file(levels, tmp_path):
    (tmp_path / "map.txt").write_text(MAP)
    found = find(str(levels))
    assert (found.game.name, len(found.boards), found.place) == ("sokoban", 3, None)
    found = find(str(tmp_path / "map.txt"))
    assert (found.game.name, found.place, found.board.preset) == ("shover", 0, "walker")
    assert find("12-hellify").game.name == "shover" and find("12-hellify").board.name == "12-hellify"
    assert find("lessons").place is None and find("lessons#2").board.name == "02-chains"


def test_a_level_in_a_collection_is_found_by_its_number(levels):
    assert find(f"{levels}#2").board.title == "Two pushes"
    assert find(str(levels), level=3).board.title == "Again one"
    for wrong in (0, 4):
        with pytest.raises(ConfigError, match=rf"three.txt has no level {wrong}; its levels are 1 to 3"):
            find(str(levels), level=wrong)


def test_an_unreadable_file_is_reported_with_a_reason_for_each_game(tmp_path, levels):
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    with pytest.raises(ConfigError, match=r"no game can read it \(for Shover-World: .+; for Sokoban: .+\)"):
        find(str(tmp_path / "poem.txt"))
    with pytest.raises(FileNotFoundError, match="no file, collection or level has this name; did you mean 12-hellify"):
        find("12-helify")
    with pytest.raises(FileNotFoundError, match=r"; did you mean easy\?$"):
        find("easi")
    with pytest.raises(FileNotFoundError, match="the collections are lessons, "):
        find("no/such/thing/at/all.xyz")
    with pytest.raises(ShoverWorldError) as alone:
        find(str(tmp_path / "poem.txt"), "sokoban")
    assert "no game" not in str(alone.value), "if a game is given, the error contains only the reason from that game"


# --- settings of each game


def test_each_game_has_its_own_settings():
    settings = Settings(
        game="shover", preset="walker", board="03-keep-it-moving", agent="greedy", overlays="12", seed=5
    )
    settings.switch("sokoban")
    assert (settings.game, settings.preset, settings.board, settings.agent, settings.overlays) == ("sokoban", *[""] * 4)
    assert settings.seed == 5, "shared settings do not change"
    settings.collection, settings.board = "easy", "easy#7"
    assert settings.save() is None
    settings, message = Settings.load()
    assert message is None
    settings.switch("shover")
    assert (settings.preset, settings.board, settings.collection) == ("walker", "03-keep-it-moving", "")
    settings.switch("sokoban")
    assert (settings.collection, settings.board) == ("easy", "easy#7")


@pytest.mark.parametrize("others", [3, {"sokoban": 3}, {"sokoban": {"colour": "red"}}, {"sokoban": {"board": 7}}])
def test_invalid_settings_are_reported(home, others):
    place().parent.mkdir(parents=True)
    place().write_text(json.dumps({"fps": 60, "others": others}))
    settings, message = Settings.load()
    assert settings.fps == 60 and settings.others == {} and message is not None


# --- several actions for one click


def test_undo_and_redo_treat_all_moves_made_by_one_click_as_one_move():
    level_list = LevelList(game_named("shover"))
    session = Session(game_named("shover"), level_list.boards[0])
    states = [session.state]
    for follows in (False, True, True):
        session.do(Act((0, 2 + len(states) - 1, 2)), follows=follows)
        states.append(session.state)
    assert session.moves == 3 and session.outcome == "cleared"
    turn = session.undo()
    assert (turn.before, turn.after) == (states[3], states[0]) and session.moves == 0
    assert session.replay().steps == 0
    turn = session.redo()
    assert turn.before is states[0] and session.moves == 3 and session.outcome == "cleared"
    assert session.turn is turn and session.replay().steps == 3
    session.restart()
    session.undo()
    assert session.moves == 3, "undoing the restart restores all moves"
    session.undo()
    assert session.moves == 0 and not session.can_undo


def test_thousands_of_moves_can_be_undone(tmp_path):
    (tmp_path / "hall.txt").write_text("#######\n#@  $.#\n#######\n")
    board = find(str(tmp_path / "hall.txt")).board
    session = Session(game_named("sokoban"), board)
    for step in range(4000):
        session.do(Act((8, 7)[step % 2]))
    assert session.moves == 4000 and session.replay().steps == 4000
    while session.can_undo:
        session.undo()
    assert session.moves == 0 and session.steps == 0
    while session.can_redo:
        session.redo()
    assert session.steps == 4000

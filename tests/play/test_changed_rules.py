"""Games with changed rules: the panel shows the changes, and the results are not mixed with those of the preset."""

import pytest

from shoverworld import Map
from shoverworld.core.rules_text import parse_rules
from shoverworld.core.ui import Act, Board
from shoverworld.games import game_named
from shoverworld.play.edit_session import EditSession, recover
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

SHOVER, SOKOBAN, RACE = (game_named(name) for name in ("shover", "sokoban", "race"))
CHANGED = "phase2, initial_force=30"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path / "home"))


def won(rules):
    board = Board("drawn", "phase2", Map.parse("A.B", "drawn"), "Drawn")
    session = Session(SHOVER, board, rules)
    session.do(Act((0, 2, 1)))
    assert session.outcome == "cleared"
    return session


def test_a_game_with_changed_rules_has_its_own_record():
    records = Records()
    assert records.note(won("phase2"))
    assert not records.note(won("phase2"))
    assert records.note(won(CHANGED))
    assert records.note(won("phase2, unit_force=1"))
    assert not records.note(won(CHANGED))
    assert len({won(rules).identity for rules in ("phase2", CHANGED, "phase2, unit_force=1")}) == 3


def test_a_level_with_changed_rules_has_no_best_known_result():
    board = SHOVER.levels.boards()[0]
    assert Session(SHOVER, board).best_known is not None
    assert Session(SHOVER, board, "milestone1, initial_force=30").best_known is None


@pytest.mark.parametrize(
    ("game", "rules"),
    [(RACE, ["race", "race, penalty=3", "race, max_rounds=9"]), (SOKOBAN, ["sokoban", "sokoban, max_steps=9", "pull"])],
    ids=["race", "sokoban"],
)
def test_every_game_keeps_results_under_changed_rules_separate(game, rules):
    board = game.levels.boards()[0]
    assert len({game.levels.identity(board, text) for text in rules}) == len(rules)
    for text in rules:
        session = Session(game, board, text)
        assert session.identity == game.levels.identity(board, text)
        assert session.env.rules == parse_rules(text, game.preset_rules)


def test_the_game_table_shows_the_changed_rules_and_keeps_them_on_the_next_level():
    levels = LevelList(SHOVER, "", Records(), "initial_force=30")
    session = Session(SHOVER, levels.boards[0], levels.preset(0))
    table = GameTable(session, Settings(), Records(), rules="initial_force=30", levels=levels)
    assert table.rules == "milestone1, initial_force=30 (made for milestone1)"
    assert table.changes == "initial_force=30"
    for _ in range(4):
        table.next_level(1)
    assert table.session.board.name == "05-over-the-edge"
    assert table.session.preset == CHANGED
    assert table.session.env.rules.initial_force == 30
    assert levels.identity(4) == table.session.identity
    table.random_level()
    assert table.session.preset == CHANGED
    assert table.session.env.rules.initial_force == 30
    table.close()


def test_the_editor_saves_and_recovers_changed_rules(tmp_path):
    edit = EditSession.blank(SHOVER, "initial_force=30")
    assert edit.preset == "milestone1, initial_force=30"
    edit.paint((0, 0), "box")
    edit.keep()
    edit.release()
    (found,), messages = recover()
    assert (found.preset, messages) == ("milestone1, initial_force=30", [])
    path = found.save(str(tmp_path / "mine.txt"))
    assert Map.read(path).rules == "milestone1, initial_force=30"
    again = EditSession.open(SHOVER, path)
    assert again.preset == "milestone1, initial_force=30"
    assert EditSession.open(SHOVER, path, "walker").preset == "walker"
    assert again.board().preset == "milestone1, initial_force=30"
    found.discard()


@pytest.mark.parametrize(
    ("game", "name", "rules", "format"),
    [
        (RACE, "01-straight", "cross, penalty=3", "numbers"),
        (RACE, "01-straight", "cross, penalty=3", "symbols"),
        (SOKOBAN, "tiny#1", "pull, max_steps=50", "XSB"),
    ],
)
def test_the_race_and_sokoban_editors_save_changed_rules_too(game, name, rules, format, tmp_path):
    edit = EditSession.of(game, game.levels.read(name), rules)
    board = game.levels.read(edit.save(str(tmp_path / "mine.txt"), format))
    assert board.preset == rules
    usual = EditSession.of(game, game.levels.read(name))
    assert "ules:" not in usual.draft.text(format, usual.preset)  # neither `// rules:` nor `Rules:`


def test_a_boxoban_file_cannot_contain_rules():
    edit = EditSession.of(SOKOBAN, SOKOBAN.levels.read("tiny#1"), "pull")
    with pytest.raises(ValueError, match=r"Boxoban format supports neither .* nor rules"):
        edit.draft.text("Boxoban", edit.preset)


def test_a_replay_of_a_game_with_changed_rules_continues_under_the_same_rules():
    session = won(CHANGED)
    replay = session.replay()
    replay.check()
    assert SHOVER.levels.board_of(session.env).preset == CHANGED

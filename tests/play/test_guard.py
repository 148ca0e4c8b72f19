"""A failing overlay, hint, preview or thumbnail is reported once and does not end the game; help is off in a new game."""

import pytest

from shoverworld import sokoban
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Board
from shoverworld.games import all_games, game_named
from shoverworld.play.board import overlay_marks, remembered
from shoverworld.play.browser import LevelBrowser
from shoverworld.play.guard import Guard, thumbnail
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records
from shoverworld.play.replay_cursor import ReplayCursor
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.play.table import GameTable

LEVEL = "#######\n#@ $ .#\n#######"


class Broken(ValueError):
    pass


def fail(*arguments, **keywords):
    raise Broken("no such picture")


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOVERWORLD_HOME", str(tmp_path))
    game = game_named("sokoban")
    board = Board("drawn", "sokoban", sokoban.Level.parse(LEVEL), "Drawn")
    made = GameTable(Session(game, board), Settings(game="sokoban"), Records())
    yield made
    made.close()


def test_an_error_in_one_part_of_the_user_interface_is_reported_once():
    said = []
    guard = Guard(said.append)
    assert guard("the overlay x", lambda: 5, 0) == 5
    assert [guard("the overlay x", fail, 0), guard("the overlay x", fail, 0), guard("a hint", fail, 1)] == [0, 0, 1]
    assert said == ["The overlay x failed: Broken: no such picture", "A hint failed: Broken: no such picture"]


@pytest.mark.parametrize("name", list(all_games()))
def test_every_overlay_can_display_the_upcoming_moves_of_a_replay(name):
    """The viewer once passed raw numbers from the file instead of actions, which crashed two of the games."""
    game = game_named(name)
    session = Session(game, game.levels.boards()[0], seed=0)
    for action in game.plan(session.env, session.state, time_limit=20.0).actions[:5]:
        session.env.step(action)
    cursor = ReplayCursor(session.replay())
    plan = cursor.ahead(3)
    assert len(plan.actions) == min(3, cursor.last) and all(map(cursor.env.action_space.contains, plan.actions))
    keys = [overlay.key for overlay in game.ui.overlays.overlays]
    marks = overlay_marks(game, keys, cursor.env, cursor.states[:1], plan, Guard(pytest.fail))
    assert marks or not keys


def test_a_failing_overlay_or_preview_or_hint_does_not_end_the_game(table, monkeypatch):
    table.toggle_overlay("1")
    monkeypatch.setattr(table.game.ui.overlays, "marks", fail)
    assert table.marks() == table.session.handler.marks(table.session.state)
    assert table.message.text == "The overlay dead squares failed: Broken: no such picture"
    monkeypatch.setattr(table.game.ui.overlays, "hint", fail)
    monkeypatch.setattr(table.game.ui.texts, "describe", fail)
    table.hints.keep(Plan("solved", [8, 4, 4]))
    table.ask_hint()
    assert table.hints.marks == () and "Action 8" in table.hints.text
    assert table.message.text.startswith("The wording of a hint failed")
    monkeypatch.setattr(table.session.handler, "hover", fail)
    table.point((1, 3))
    table.update(0.0)
    assert table.preview.marks == () and table.message.text.startswith("The preview failed")
    table.press("right")
    assert table.session.steps == 1, "the game continues"


def test_a_failing_thumbnail_leaves_the_level_browser_usable(monkeypatch):
    game, said = game_named("sokoban"), []
    monkeypatch.setattr(game.ui.drawing, "thumbnail", fail)
    browser = LevelBrowser(LevelList(game), guard=Guard(said.append))
    assert "1 of" in browser.description and "not solved yet" in browser.description
    assert browser.board is not None and thumbnail(game, browser.board, browser.guard) is None
    assert len(said) == 1 and said[0].startswith("The picture of ")


# --- help is off when a game starts


def test_the_plan_overlay_is_off_when_a_game_starts(table):
    assert remembered(table.game, "1234") == "124"
    for key in "123":
        table.press(key)
    assert table.overlays == {"1", "2", "3"} and table.settings.overlays == "12" and table.hints.looking_ahead
    table.press("r")
    assert table.overlays == {"1", "2"} and not table.hints.looking_ahead, "a restarted game"
    table.press("3")
    table.press("tab")
    assert table.overlays == {"1", "2"} and not table.hints.looking_ahead, "another level"


def test_the_plan_overlay_in_an_old_settings_file_is_ignored(table):
    again = GameTable(table.session, Settings(game="sokoban", overlays="13"), Records())
    assert again.overlays == {"1"} and not again.hints.looking_ahead
    again.close()


def test_a_game_has_its_own_overlays_even_if_another_game_was_chosen_in_the_menu(table):
    settings = Settings(game="race", overlays="b", others={"sokoban": {"overlays": "4"}})
    other = GameTable(table.session, settings, Records())
    assert other.overlays == {"4"}
    other.press("1")
    assert settings.overlays == "b" and settings.own("sokoban", "overlays") == "14"
    other.close()

"""The menu: choices by keys and by the mouse, and what is remembered."""

import json
import os
import random
import time

import pygame
import pytest
from pygame import Rect

from shoverworld.core.replay import Replay
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.open_file import AskReplay
from shoverworld.desktop.start import StartScreen, ready
from shoverworld.desktop.table import TableScreen
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings, place
from tests.windows import GAME, PATIENCE, Hands, changed_pixels, drawn, game, hands

__all__ = ["hands"]
NAMES = [board.name for board in GAME.levels.boards()]


@pytest.fixture
def menu(hands):
    return hands.open(MenuScreen)


def table_of(hands: Hands) -> TableScreen:
    """The game that was begun, as soon as everything is compiled."""
    hands.until(lambda: isinstance(hands.app.screen, TableScreen))
    return hands.app.screen


def texts(menu: MenuScreen) -> list[str]:
    return [item.text for item in menu.maps.items]


# --- what there is


def test_it_shows_what_can_be_chosen(menu):
    assert [item.value for item in menu.maps.items] == ["random", *NAMES]
    assert all(item.picture is not None for item in menu.maps.items)
    assert [item.value for item in menu.rules.items] == ["", "milestone1", "walker", "phase2"]
    assert [item.value for item in menu.agents.items] == list(GAME.agent_names)
    assert menu.maps.value == NAMES[0], "a beginner finds the first lesson chosen"
    assert menu.title.text == GAME.title


def test_the_pictures_of_the_maps_differ(menu, hands):
    looks = {pygame.image.tobytes(item.picture, "RGBA") for item in menu.maps.items}
    assert len(looks) == len(menu.maps.items)


def test_nothing_is_drawn_when_nothing_happens(menu, hands):
    hands.until(lambda: ready(GAME))
    hands.frame()
    assert hands.frame() == []


# --- choosing


def test_by_keys_alone(menu, hands):
    hands.press("down", "down")  # maps have the focus
    assert menu.maps.value == NAMES[2]
    hands.press("tab", "tab", "down", "down")  # past the path, to the rules
    assert menu.rules.value == "walker"
    hands.press("right", "down")
    assert menu.agents.value == GAME.agent_names[1]
    hands.press("right", "end")
    hands.type("7")
    assert menu.seed.text == "7", "without zeros before it"
    hands.press("return")
    table = table_of(hands)
    assert table.session.board.name == NAMES[2] and table.session.preset == "walker"
    assert table.table.pilot.agent == GAME.agent_names[1] and not table.table.pilot.on
    assert Settings.load()[0].seed == 7


def test_by_the_mouse_alone(menu, hands):
    hands.click(menu.maps.row_rect(3).center)
    assert menu.maps.value == NAMES[2]
    hands.point(menu.maps.rect.center)
    hands.wheel(-100)
    hands.click(menu.maps.row_rect(len(NAMES)).center)
    assert menu.maps.value == NAMES[-1]
    hands.click(menu.rules.row_rect(3).center)
    hands.click(menu.agents.row_rect(1).center)
    hands.click(menu.buttons[0].rect.center)
    table = table_of(hands)
    assert (table.session.board.name, table.session.preset) == (NAMES[-1], "phase2")


def test_every_button_is_reached_by_tab(menu, hands):
    reached = []
    for _ in range(len(menu.form.widgets)):
        hands.press("tab")
        reached.append(menu.form.focused)
    assert all(button in reached for button in menu.buttons)
    assert {menu.path, menu.rules, menu.agents, menu.seed, menu.animation, menu.fps} <= set(reached)


def test_as_the_map_asks(menu, hands):
    for _ in range(7):
        hands.press("down")
    hands.press("return")
    table = table_of(hands)
    assert table.session.board.name == NAMES[7] and table.session.preset == GAME.levels.boards()[7].preset == "walker"


def test_a_random_map_from_the_seed(menu, hands):
    hands.press("home")
    assert menu.maps.value == "random"
    before = hands.pixels(menu.preview.area)
    hands.click(menu.seed.rect.center)
    hands.type("12")
    assert changed_pixels(before, hands.pixels(menu.preview.area)).any(), "another map is shown"
    seed = int(menu.seed.text)
    hands.press("return")
    table = table_of(hands)
    assert table.session.board.seed == seed
    assert (table.session.board.level.grid == GAME.levels.random("milestone1", seed).level.grid).all()


def test_a_seed_beyond_all_bounds(menu, hands):
    hands.click(menu.seed.rect.center)
    hands.type("9" * 30)
    hands.press("return")
    assert table_of(hands).app.settings.seed == 2**31 - 1


def test_typing_replaces_the_seed(menu, hands):
    hands.click(menu.seed.rect.center)
    hands.type("42")
    assert menu.seed.text == "42" and hands.app.settings.seed == 42
    hands.click(menu.maps.row_rect(1).center)
    menu.form.focus(menu.seed)
    hands.type("7")
    assert menu.seed.text == "7"
    hands.press("a", control=True)
    hands.press("backspace")
    assert menu.seed.text == "" and hands.app.settings.seed == 0
    hands.type("003")
    assert menu.seed.text == "3"


def test_a_click_or_an_arrow_puts_the_caret_into_a_field(menu, hands):
    hands.click(menu.path.rect.center)
    hands.type("abc")
    hands.press("home")
    hands.type("1")
    assert menu.path.text == "1abc"
    hands.press("a", control=True)
    hands.press("left")
    hands.type("2")
    assert menu.path.text == "21abc"
    hands.press("a", control=True)
    before = hands.pixels(menu.path.rect)
    hands.click((menu.path.rect.right - 5, menu.path.rect.centery))
    assert changed_pixels(before, hands.pixels(menu.path.rect)).any(), "what is selected is seen"
    hands.type("3")
    assert menu.path.text == "21abc3"


def test_letters_typed_into_a_field_are_no_commands(menu, hands):
    hands.click(menu.path.rect.center)
    hands.type("qwer")
    assert hands.app.running and hands.app.screen is menu and menu.path.text == "qwer"


def test_options(menu, hands):
    hands.click(menu.animation.rect.center)
    hands.click(menu.fps.rect.center)
    assert (hands.app.animation, hands.app.settings.animation) == (True, True)
    assert (hands.app.fps, hands.app.settings.fps) == (60, 60) and "60" in menu.fps.text
    hands.click(menu.fps.rect.center)
    assert hands.app.fps == 30


def test_a_double_click_plays(menu, hands):
    menu.maps.clock = lambda: 5000
    hands.click(menu.maps.row_rect(2).center)
    hands.click(menu.maps.row_rect(2).center)
    assert table_of(hands).session.board.name == NAMES[1]


# --- remembering


def test_the_last_choice_is_remembered(menu, hands):
    hands.press("down", "down", "down", "tab", "tab", "down", "right", "down", "down", "right", "end")
    hands.type("42")
    hands.press("f12", "escape")
    hands.close()
    kept, message = Settings.load()
    assert message is None and (kept.board, kept.preset, kept.agent) == (NAMES[3], "milestone1", GAME.agent_names[2])
    assert kept.seed == 42
    again = hands.open(MenuScreen, settings=kept)
    assert (again.maps.value, again.rules.value, again.agents.value) == (NAMES[3], "milestone1", GAME.agent_names[2])
    assert again.seed.text == "42"


def test_a_choice_is_kept_when_the_game_begins(menu, hands):
    """A kill later takes nothing of it."""
    hands.press("down", "return")
    table_of(hands)
    assert json.loads(place().read_text())["board"] == NAMES[1]


def test_a_missing_map_is_reported(hands):
    menu = hands.open(MenuScreen, settings=Settings(board="/nowhere/at/all.txt"))
    assert "/nowhere/at/all.txt" in menu.status.text and menu.maps.value == NAMES[0]


def test_an_unknown_game_or_preset_in_the_settings_is_ignored(hands):
    menu = hands.open(MenuScreen, settings=Settings(game="chess", preset="blitz", agent="nobody"))
    assert menu.game.name == "shover" and menu.rules.value == ""
    hands.press("w")
    assert "nobody" in menu.status.text and hands.app.screen is menu


def test_corrupt_settings_are_reported_and_set_aside(hands):
    place().parent.mkdir(parents=True)
    place().write_text("{ this is no JSON")
    settings, message = Settings.load()
    menu = hands.open(lambda app: MenuScreen(app, message), settings=settings)
    assert "set aside" in menu.status.text
    assert (place().parent / "settings.json.corrupt-1").read_text() == "{ this is no JSON"


def test_corrupt_records_are_reported(hands):
    place().parent.mkdir(parents=True)
    (place().parent / "records.json").write_text("[1, 2")
    hands.open(MenuScreen)
    assert "set aside" in hands.app.note


# --- files


def test_a_dropped_map_is_chosen(menu, hands, tmp_path):
    (tmp_path / "mine.txt").write_text("// My own map\n// It has words.\n. A B L\n")
    hands.drop(tmp_path / "mine.txt")
    assert menu.maps.value == str(tmp_path / "mine.txt") and "My own map" in texts(menu)
    assert "It has words." in menu.about.text
    hands.press("return")
    assert table_of(hands).session.board.path == str(tmp_path / "mine.txt")


def test_a_typed_path(menu, hands, tmp_path):
    (tmp_path / "mine.txt").write_text(". A B L\n")
    hands.click(menu.path.rect.center)
    hands.type(str(tmp_path / "mine.txt"))
    hands.press("return")
    assert menu.maps.value == str(tmp_path / "mine.txt") and menu.path.text == ""
    kept = Settings(board=menu.maps.value)
    again = hands.open(MenuScreen, settings=kept)
    assert again.maps.value == str(tmp_path / "mine.txt"), "it is there the next time"


def test_a_map_file_that_was_changed_is_read_again(menu, hands, tmp_path):
    (tmp_path / "mine.txt").write_text("// One\nA B L\n")
    hands.drop(tmp_path / "mine.txt")
    (tmp_path / "mine.txt").write_text("// Two\nA . B L\n")
    hands.drop(tmp_path / "mine.txt")
    assert "Two" in texts(menu) and "One" not in texts(menu)


@pytest.mark.parametrize("content", [b"A B ?\n", b"", b"\xff\xfe", None])
def test_a_file_that_is_not_a_map_is_reported(menu, hands, tmp_path, content):
    path = tmp_path / "wrong.txt"
    if content is not None:
        path.write_bytes(content)
    hands.drop(path)
    assert "wrong.txt" in menu.status.text and menu.maps.value == NAMES[0] and hands.app.running
    if content is None:
        assert menu.status.text == f"there is no file {path}"


@pytest.mark.parametrize("path", ["~nobody-of-this-name/map.txt", "a\0b.txt", "\udcff.txt", "x/" * 3000, "."])
def test_a_missing_path_is_reported(menu, hands, path):
    hands.drop(path)
    assert menu.status.text and menu.maps.value == NAMES[0] and hands.app.running
    hands.frame()


def test_a_seed_of_any_length(menu, hands):
    menu.form.focus(menu.seed)
    hands.post(pygame.TEXTINPUT, text="9" * 100_000)  # pasted
    hands.frame()
    assert hands.app.settings.seed == 2**31 - 1


def test_a_dropped_agent(menu, hands, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, obs, info):\n        return (0, 0, 1)\n")
    hands.drop(tmp_path / "mine.py")
    assert menu.agents.value == str(tmp_path / "mine.py") == hands.app.settings.agent
    hands.drop(tmp_path / "none.py")
    assert "there is no file" in menu.status.text


def test_a_dropped_replay_is_opened(menu, hands, tmp_path):
    session = game("A B . L", "walker")
    session.do(session.handler.press(session.state, "right"))
    session.replay().write(tmp_path / "one.replay")
    hands.drop(tmp_path / "one.replay")
    assert hands.app.screen is not menu and hands.app.screen.cursor.replay.moves
    hands.press("escape")
    assert hands.app.screen is menu


def test_a_replay_by_its_path(menu, hands, tmp_path):
    hands.press("r")
    assert isinstance(hands.app.screen, AskReplay)
    hands.type(str(tmp_path / "none.replay"))
    hands.press("return")
    assert isinstance(hands.app.screen, AskReplay), "it stays: there is no such file"
    hands.press("escape")
    session = game("A B . L", "walker")
    (tmp_path / "home" / "replays").mkdir(parents=True, exist_ok=True)
    session.replay().write(tmp_path / "home" / "replays" / "last.replay")
    hands.press("r")
    assert hands.app.screen.field.text.endswith("last.replay"), "the one saved last is proposed"
    hands.press("return")
    assert hands.app.screen.cursor.replay.source.endswith("last.replay")
    assert Replay.read(hands.app.screen.cursor.replay.source)


def test_the_key_that_opens_a_question_is_not_typed_into_it(menu, hands):
    hands.key("r", text="r")
    hands.frame()
    assert isinstance(hands.app.screen, AskReplay) and hands.app.screen.field.text == ""
    hands.type("r")
    assert hands.app.screen.field.text == "r"


def test_saved_replays_are_there_to_be_picked(menu, hands, tmp_path):
    folder = tmp_path / "home" / "replays"
    folder.mkdir(parents=True)
    session = game("A B . L", "walker")
    for number in range(12):
        session.replay().write(folder / f"game-{number}.replay")
        os.utime(folder / f"game-{number}.replay", (1_700_000_000 + number, 1_700_000_000 + number))
    hands.press("r")
    ask = hands.app.screen
    assert [item.text for item in ask.list.items] == [f"game-{number}" for number in range(11, 3, -1)]
    assert hands.app.surface.get_rect().contains(ask.rect) and ask.rect.contains(ask.list.rect)
    hands.press("down")
    assert ask.field.text == str(folder / "game-10.replay")
    hands.click(ask.list.row_rect(3).center)
    hands.press("return")
    assert hands.app.screen.cursor.replay.source.endswith("game-8.replay")
    hands.press("escape", "r")
    hands.type("/none.replay")
    assert hands.app.screen.field.text == "/none.replay", "a path can still be typed"


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (500, 900)])
def test_the_replay_dialog_fits_into_every_window(hands, tmp_path, size):
    (tmp_path / "home" / "replays").mkdir(parents=True)
    game("A B . L", "walker").replay().write(tmp_path / "home" / "replays" / "one.replay")
    hands.open(MenuScreen, size=size)
    hands.press("r")
    ask = hands.app.screen
    rects = [widget.rect for widget in ask.form.widgets if widget.rect.width]
    assert all(ask.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    hands.press("return")
    assert hands.app.screen.cursor.replay.source.endswith("one.replay")


# --- words


def test_rules_and_agents_are_described(menu, hands):
    hands.resize((1100, 760))
    assert menu.rules_about.text == f"milestone1: {GAME.presets[0].about}" and menu.rules_about.rect.height
    hands.click(menu.rules.row_rect(2).center)
    assert menu.rules_about.text == GAME.presets[1].about
    told = set()
    for row in range(len(GAME.agent_names)):
        hands.click(menu.agents.row_rect(row).center)
        told.add(menu.agent_about.text)
    assert len(told) == len(GAME.agent_names) and all(told)


def test_rules_other_than_the_maps_own_are_named(menu, hands):
    assert "made for" not in menu.maps.items[1].below
    hands.click(menu.rules.row_rect(2).center)
    assert menu.maps.items[1].below.endswith("walker (made for milestone1)")
    assert menu.maps.items[8].below.endswith("walker"), "its own"


# --- records


def test_records_stand_beside_the_maps(hands):
    session = Session(GAME, GAME.levels.boards()[0])
    for _ in range(4):
        session.do(session.handler.press(session.state, "right"))
    assert session.outcome == "cleared"
    assert Records.load()[0].note(session)
    menu = hands.open(MenuScreen)
    assert menu.maps.items[1].note == "your best 4 · best possible 3" and menu.maps.items[2].note == ""
    assert "Your best: 4 steps" in menu.about.text and "Best possible: 3 steps" in menu.about.text


def test_other_rules_have_other_records(hands):
    session = Session(GAME, GAME.levels.boards()[0])
    for _ in range(4):
        session.do(session.handler.press(session.state, "right"))
    Records.load()[0].note(session)
    menu = hands.open(MenuScreen)
    hands.click(menu.rules.row_rect(2).center)
    assert menu.rules.value == "walker" and menu.maps.items[1].note == ""


# --- buttons


def test_watch_lets_the_agent_play_at_once(menu, hands):
    hands.press("w")
    table = table_of(hands)
    assert table.table.pilot.on and table.table.pilot.agent == GAME.agent_names[0]


def test_help_and_quit(menu, hands):
    hands.press("f1")
    assert isinstance(hands.app.screen, HelpScreen)
    hands.press("escape")
    assert hands.app.screen is menu
    hands.press("q")
    assert not hands.app.running


def test_back_from_a_game_the_menu_is_as_it_was(menu, hands):
    hands.press("down", "return")
    table_of(hands)
    hands.press("escape")
    assert isinstance(hands.app.screen, MenuScreen) and hands.app.screen.maps.value == NAMES[1]


# --- getting ready


def test_the_window_stays_responsive_while_the_game_is_compiled(hands, monkeypatch):
    from shoverworld.desktop import start

    class Slow:
        done = False

    slow = Slow()
    monkeypatch.setitem(start._READY, "shover", slow)
    hands.open(MenuScreen)
    hands.press("return")
    assert isinstance(hands.app.screen, StartScreen)
    hands.frames(3)
    assert isinstance(hands.app.screen, StartScreen)
    hands.resize((400, 300))
    slow.done = True
    hands.frame()
    assert isinstance(hands.app.screen, TableScreen)


def test_an_error_at_the_start_of_a_game_leads_to_the_menu(hands):
    from shoverworld.desktop.start import go

    hands.open(MenuScreen)
    hands.until(lambda: ready(GAME))
    go(hands.app, GAME, lambda: TableScreen(hands.app, Session(GAME, drawn("A B L"), "chess")))
    hands.frame()
    assert isinstance(hands.app.screen, MenuScreen) and "chess" in hands.app.screen.status.text


# --- sizes and rough hands


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 760), (1600, 900), (500, 900), (900, 300)])
def test_everything_has_its_place(hands, size):
    menu = hands.open(MenuScreen, size=size)
    whole = Rect(0, 0, *size)
    rects = [widget.rect for widget in menu.form.widgets if widget.rect.width] + [menu.preview.area]
    rects = [rect for rect in rects if rect.width]
    assert all(whole.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert menu.maps.rect.contains(menu.maps.row_rect(menu.maps.chosen).clip(menu.maps.rect))
    seen = hands.pixels()
    hands.app.refresh()
    hands.frame()
    assert (seen == hands.pixels()).all()


def test_random_input(hands):
    rng = random.Random(3)
    hands.open(MenuScreen)
    keys = ["up", "down", "left", "right", "tab", "home", "end", "page up", "page down", "backspace", "space", "5", "x", "f1", "f5"]  # fmt: skip
    for _ in range(250):
        size = hands.app.surface.get_size()
        spot = rng.randrange(size[0]), rng.randrange(size[1])
        act = rng.randrange(9)
        if act < 5:
            hands.key(rng.choice(keys), shift=rng.random() < 0.2)
        elif act == 5:
            hands.point(spot, False)
        elif act == 6:
            hands.wheel(rng.choice([-3, -1, 1, 3]))
        elif act == 7:
            hands.hold(spot, frame=False)
            hands.let_go((0, 0), frame=False)  # no button is meant
        elif rng.random() < 0.4:
            hands.resize((rng.randrange(320, 1400), rng.randrange(240, 900)))
        hands.frame()
        if not hands.app.running or not isinstance(hands.app.screens[0], MenuScreen):
            hands.open(MenuScreen)
    while not isinstance(hands.app.screen, MenuScreen):
        hands.app.pop()
    hands.point((0, 0))
    hands.settle()
    seen = hands.pixels()
    hands.app.refresh()
    hands.frame()
    assert (seen == hands.pixels()).all()


# --- the command


@pytest.fixture
def command(hands, monkeypatch):
    """Runs `shover play ...` until `look(app)` gives something, then quits; gives what it gave."""
    from shoverworld.cli import main
    from shoverworld.desktop.app import App

    def run(look, *arguments):
        seen = []
        turn, began = App.frame, time.monotonic()

        def frame(app, seconds=None):
            drawn = turn(app, seconds)
            value = look(app)
            if value is not None or time.monotonic() - began > PATIENCE:
                seen.append(value)
                app.quit()
            return drawn

        monkeypatch.setattr(App, "frame", frame)
        assert main(["play", *arguments]) == 0
        monkeypatch.setattr(App, "frame", turn)
        return seen[0]

    return run


def its_table(app):
    return app.screen if isinstance(app.screen, TableScreen) else None


def test_play_opens_the_menu_with_what_was_asked_for(command):
    menu = command(
        lambda app: app.screen if isinstance(app.screen, MenuScreen) else None,
        "--rules", "walker", "--agent", "greedy", "--seed", "9",
    )  # fmt: skip
    assert (menu.rules.value, menu.agents.value, menu.seed.text) == ("walker", "greedy", "9")


def test_play_a_map(command):
    table = command(its_table, "12-hellify", "--no-animation", "--fps", "60", "--agent", "random")
    assert table.session.board.name == "12-hellify" and table.session.preset == "milestone1"
    assert (table.app.animation, table.app.fps, table.table.pilot.agent, table.table.pilot.on) == (
        False,
        60,
        "random",
        False,
    )


def test_play_a_file_by_other_rules(command, tmp_path):
    (tmp_path / "mine.txt").write_text("A B L\n")
    table = command(its_table, str(tmp_path / "mine.txt"), "--rules", "phase2")
    assert table.session.preset == table.table.tour.rules == "phase2" and table.session.board.path == str(
        tmp_path / "mine.txt"
    )


def test_play_a_random_map(command):
    table = command(its_table, "random", "--seed", "5", "--rules", "walker")
    assert (table.session.board.seed, table.session.preset) == (5, "walker")


@pytest.mark.parametrize("name", ["shoverworld/ShoverSelect-v0", "ShoverSelect-v0"])
def test_play_an_environment_by_its_id(command, name):
    table = command(its_table, name, "--seed", "4")
    assert (table.session.board.seed, table.session.preset) == (4, "phase2")


def test_play_tells_of_corrupt_settings(command):
    place().parent.mkdir(parents=True)
    place().write_text("no JSON")
    assert "set aside" in command(lambda app: app.note if its_table(app) else None, "01-first-push")

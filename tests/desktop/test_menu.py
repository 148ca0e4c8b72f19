"""The menu: choices by keyboard and mouse, and saved settings."""

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
from tests.windows import GAME, PATIENCE, WindowDriver, board_from_text, changed_pixels, driver, game

__all__ = ["driver"]
NAMES = [board.name for board in GAME.levels.boards()]


@pytest.fixture
def menu(driver):
    return driver.open(MenuScreen)


def table_of(driver: WindowDriver) -> TableScreen:
    """Wait until the game has started and return its table."""
    driver.until(lambda: isinstance(driver.app.screen, TableScreen))
    return driver.app.screen


def texts(menu: MenuScreen) -> list[str]:
    return [item.text for item in menu.maps.items]


# --- contents


def test_the_menu_lists_maps_and_rules_and_agents(menu):
    assert [item.value for item in menu.maps.items] == ["random", *NAMES]
    assert all(item.picture is not None for item in menu.maps.items)
    assert [item.value for item in menu.rules.items] == ["", "milestone1", "walker", "phase2"]
    assert [item.value for item in menu.agents.items] == list(GAME.agent_names)
    assert menu.maps.value == NAMES[0], "the first lesson is selected for a beginner"
    assert menu.title.text == GAME.title


def test_every_map_has_a_different_picture(menu, driver):
    looks = {pygame.image.tobytes(item.picture, "RGBA") for item in menu.maps.items}
    assert len(looks) == len(menu.maps.items)


def test_nothing_is_drawn_when_nothing_happens(menu, driver):
    driver.until(lambda: ready(GAME))
    driver.frame()
    assert driver.frame() == []


# --- choosing


def test_a_game_can_be_started_with_the_keyboard_alone(menu, driver):
    driver.press("down", "down")  # the list of maps has the focus
    assert menu.maps.value == NAMES[2]
    driver.press("tab", "tab", "down", "down")  # skip the path field and focus the rules
    assert menu.rules.value == "walker"
    driver.press("right", "down")
    assert menu.agents.value == GAME.agent_names[1]
    driver.press("s", "end")  # the settings are open, and the seed field has the focus
    driver.type("7")
    assert driver.app.screen.seed.text == "7", "the seed has no leading zeros"
    driver.press("return")
    assert driver.app.screen is menu
    driver.press("return")
    table = table_of(driver)
    assert table.session.board.name == NAMES[2] and table.session.preset == "walker"
    assert table.table.pilot.agent == GAME.agent_names[1] and not table.table.pilot.on
    assert Settings.load()[0].seed == 7


def test_a_game_can_be_started_with_the_mouse_alone(menu, driver):
    driver.click(menu.maps.row_rect(3).center)
    assert menu.maps.value == NAMES[2]
    driver.point(menu.maps.rect.center)
    driver.wheel(-100)
    driver.click(menu.maps.row_rect(len(NAMES)).center)
    assert menu.maps.value == NAMES[-1]
    driver.click(menu.rules.row_rect(3).center)
    driver.click(menu.agents.row_rect(1).center)
    driver.click(menu.buttons[0].rect.center)
    table = table_of(driver)
    assert (table.session.board.name, table.session.preset) == (NAMES[-1], "phase2")


def test_tab_reaches_every_widget(menu, driver):
    reached = []
    for _ in range(len(menu.form.widgets)):
        driver.press("tab")
        reached.append(menu.form.focused)
    assert all(button in reached for button in menu.buttons)
    assert {menu.path, menu.rules, menu.agents} <= set(reached)


def test_tab_reaches_every_setting(settings, driver):
    reached = [settings.form.focused]
    for _ in range(len(settings.form.widgets)):
        driver.press("tab")
        reached.append(settings.form.focused)
    assert {settings.seed, settings.animation, settings.fps} <= set(reached)


def test_by_default_a_map_is_played_with_the_rules_that_it_was_made_for(menu, driver):
    for _ in range(7):
        driver.press("down")
    driver.press("return")
    table = table_of(driver)
    assert table.session.board.name == NAMES[7] and table.session.preset == GAME.levels.boards()[7].preset == "walker"


def test_the_seed_determines_the_random_map(menu, driver):
    driver.press("home")
    assert menu.maps.value == "random"
    before = driver.pixels(menu.preview.area)
    driver.press("s")
    driver.type("12")
    driver.press("return")
    assert changed_pixels(before, driver.pixels(menu.preview.area)).any(), "the preview shows a different map"
    assert "seed 12" in menu.maps.items[0].below
    driver.press("return")
    table = table_of(driver)
    assert table.session.board.seed == 12
    assert (table.session.board.level.grid == GAME.levels.random("milestone1", 12).level.grid).all()


@pytest.fixture
def settings(menu, driver):
    driver.click(next(button for button in menu.buttons if button.text == "Settings").rect.center)
    return driver.app.screen


def test_a_typed_seed_cannot_exceed_the_maximum(settings, driver):
    driver.type("9" * 30)
    driver.press("return")
    assert driver.app.settings.seed == 2**31 - 1


def test_typing_replaces_the_seed(settings, driver):
    driver.type("42")
    assert settings.seed.text == "42" and driver.app.settings.seed == 42
    driver.press("tab")
    settings.form.focus(settings.seed)
    driver.type("7")
    assert settings.seed.text == "7"
    driver.press("a", control=True)
    driver.press("backspace")
    assert settings.seed.text == "" and driver.app.settings.seed == 0
    driver.type("003")
    assert settings.seed.text == "3"


def test_letters_typed_into_the_seed_field_are_ignored(settings, driver):
    driver.type("d")  # the first letter of the button "Done"
    assert driver.app.screen is settings and settings.seed.text == "0"


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1280, 800)])
def test_the_settings_fit_in_every_window(driver, size):
    driver.open(MenuScreen, size=size)
    driver.press("s")
    dialog = driver.app.screen
    rects = [widget.rect for widget in dialog.form.widgets]
    assert all(rect.width > 0 and dialog.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))


def test_a_click_or_an_arrow_key_moves_the_caret_in_a_text_field(menu, driver):
    driver.click(menu.path.rect.center)
    driver.type("abc")
    driver.press("home")
    driver.type("1")
    assert menu.path.text == "1abc"
    driver.press("a", control=True)
    driver.press("left")
    driver.type("2")
    assert menu.path.text == "21abc"
    driver.press("a", control=True)
    before = driver.pixels(menu.path.rect)
    driver.click((menu.path.rect.right - 5, menu.path.rect.centery))
    assert changed_pixels(before, driver.pixels(menu.path.rect)).any(), "the selection is visible"
    driver.type("3")
    assert menu.path.text == "21abc3"


def test_letters_typed_into_a_field_do_not_run_commands(menu, driver):
    driver.click(menu.path.rect.center)
    driver.type("qwer")
    assert driver.app.running and driver.app.screen is menu and menu.path.text == "qwer"


def test_clicks_change_the_animation_and_the_frame_rate(settings, driver):
    driver.click(settings.animation.rect.center)
    driver.click(settings.fps.rect.center)
    assert (driver.app.animation, driver.app.settings.animation) == (True, True)
    assert (driver.app.fps, driver.app.settings.fps) == (60, 60) and "60" in settings.fps.text
    driver.click(settings.fps.rect.center)
    assert driver.app.fps == 30


def test_escape_in_a_text_field_only_leaves_the_field(menu, driver):
    menu.form.focus(menu.path)
    driver.type("7")
    driver.press("escape")
    assert driver.app.running and menu.form.focused is menu.maps
    driver.press("escape")
    assert not driver.app.running


def test_a_double_click_starts_the_game(menu, driver):
    menu.maps.clock = lambda: 5000
    driver.click(menu.maps.row_rect(2).center)
    driver.click(menu.maps.row_rect(2).center)
    assert table_of(driver).session.board.name == NAMES[1]


# --- settings


def test_the_last_choices_are_restored(menu, driver):
    driver.press("down", "down", "down", "tab", "tab", "down", "right", "down", "down", "s")
    driver.type("42")
    driver.press("return", "f12", "escape")
    driver.close()
    kept, message = Settings.load()
    assert message is None and (kept.board, kept.preset, kept.agent) == (NAMES[3], "milestone1", GAME.agent_names[2])
    assert kept.seed == 42
    again = driver.open(MenuScreen, settings=kept)
    assert (again.maps.value, again.rules.value, again.agents.value) == (NAMES[3], "milestone1", GAME.agent_names[2])
    assert again.maps.items[0].below.startswith("seed 42")


def test_the_choices_are_saved_when_the_game_starts(menu, driver):
    """The choices survive if the process is killed later."""
    driver.press("down", "return")
    table_of(driver)
    assert json.loads(place().read_text())["board"] == NAMES[1]


def test_a_missing_map_is_reported(driver):
    menu = driver.open(MenuScreen, settings=Settings(board="/nowhere/at/all.txt"))
    assert "/nowhere/at/all.txt" in menu.status.text and menu.maps.value == NAMES[0]


def test_an_unknown_game_or_preset_in_the_settings_is_ignored(driver):
    menu = driver.open(MenuScreen, settings=Settings(game="chess", preset="blitz", agent="nobody"))
    assert menu.game.name == "shover" and menu.rules.value == ""
    driver.press("w")
    assert "nobody" in menu.status.text and driver.app.screen is menu


def test_corrupt_settings_are_reported_and_set_aside(driver):
    place().parent.mkdir(parents=True)
    place().write_text("{ this is not JSON")
    settings, message = Settings.load()
    menu = driver.open(lambda app: MenuScreen(app, message), settings=settings)
    assert "renamed to" in menu.status.text
    assert (place().parent / "settings.json.corrupt-1").read_text() == "{ this is not JSON"


def test_corrupt_records_are_reported(driver):
    place().parent.mkdir(parents=True)
    (place().parent / "records.json").write_text("[1, 2")
    driver.open(MenuScreen)
    assert "renamed to" in driver.app.note


# --- files


def test_a_dropped_map_file_is_selected(menu, driver, tmp_path):
    (tmp_path / "mine.txt").write_text("// My own map\n// It has words.\n. A B L\n")
    driver.drop(tmp_path / "mine.txt")
    assert menu.maps.value == str(tmp_path / "mine.txt") and "My own map" in texts(menu)
    assert "It has words." in menu.about.text
    driver.press("return")
    assert table_of(driver).session.board.path == str(tmp_path / "mine.txt")


def test_a_typed_path_selects_a_map_file(menu, driver, tmp_path):
    (tmp_path / "mine.txt").write_text(". A B L\n")
    driver.click(menu.path.rect.center)
    driver.type(str(tmp_path / "mine.txt"))
    driver.press("return")
    assert menu.maps.value == str(tmp_path / "mine.txt") and menu.path.text == ""
    kept = Settings(board=menu.maps.value)
    again = driver.open(MenuScreen, settings=kept)
    assert again.maps.value == str(tmp_path / "mine.txt"), "the file is listed the next time"


def test_a_changed_map_file_is_reloaded(menu, driver, tmp_path):
    (tmp_path / "mine.txt").write_text("// One\nA B L\n")
    driver.drop(tmp_path / "mine.txt")
    (tmp_path / "mine.txt").write_text("// Two\nA . B L\n")
    driver.drop(tmp_path / "mine.txt")
    assert "Two" in texts(menu) and "One" not in texts(menu)


@pytest.mark.parametrize("content", [b"A B ?\n", b"", b"\xff\xfe", None])
def test_a_file_that_is_not_a_map_is_reported(menu, driver, tmp_path, content):
    path = tmp_path / "wrong.txt"
    if content is not None:
        path.write_bytes(content)
    driver.drop(path)
    assert "wrong.txt" in menu.status.text and menu.maps.value == NAMES[0] and driver.app.running
    if content is None:
        assert menu.status.text == f"the file {path} does not exist"


@pytest.mark.parametrize(
    "path", ["~nobody-of-this-name/map.txt", "a\0b.txt", "\udcff.txt", "x/" * 3000, "src/shoverworld/play"]
)
def test_a_missing_path_is_reported(menu, driver, path):
    driver.drop(path)
    assert menu.status.text and menu.maps.value == NAMES[0] and driver.app.running
    driver.frame()


def test_a_pasted_seed_cannot_exceed_the_maximum(menu, driver):
    driver.press("s")
    driver.post(pygame.TEXTINPUT, text="9" * 100_000)  # pasted
    driver.frame()
    assert driver.app.settings.seed == 2**31 - 1


def test_a_dropped_agent_file_is_selected(menu, driver, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, obs, info):\n        return (0, 0, 1)\n")
    driver.drop(tmp_path / "mine.py")
    assert menu.agents.value == str(tmp_path / "mine.py") == driver.app.settings.agent
    driver.drop(tmp_path / "none.py")
    assert "does not exist" in menu.status.text


def test_a_dropped_replay_is_opened(menu, driver, tmp_path):
    session = game("A B . L", "walker")
    session.do(session.handler.press(session.state, "right"))
    session.replay().write(tmp_path / "one.replay")
    driver.drop(tmp_path / "one.replay")
    assert driver.app.screen is not menu and driver.app.screen.cursor.replay.moves
    driver.press("escape")
    assert driver.app.screen is menu


def test_a_replay_is_opened_by_its_path(menu, driver, tmp_path):
    driver.press("r")
    assert isinstance(driver.app.screen, AskReplay)
    driver.type(str(tmp_path / "none.replay"))
    driver.press("return")
    assert isinstance(driver.app.screen, AskReplay), "the dialog stays open: the file does not exist"
    driver.press("escape")
    session = game("A B . L", "walker")
    (tmp_path / "home" / "replays").mkdir(parents=True, exist_ok=True)
    session.replay().write(tmp_path / "home" / "replays" / "last.replay")
    driver.press("r")
    assert driver.app.screen.field.text.endswith("last.replay"), "the most recent replay is suggested"
    driver.press("return")
    assert driver.app.screen.cursor.replay.source.endswith("last.replay")
    assert Replay.read(driver.app.screen.cursor.replay.source)


def test_the_key_that_opens_a_dialog_is_not_typed_into_its_field(menu, driver):
    driver.key("r", text="r")
    driver.frame()
    assert isinstance(driver.app.screen, AskReplay) and driver.app.screen.field.text == ""
    driver.type("r")
    assert driver.app.screen.field.text == "r"


def test_the_replay_dialog_lists_saved_replays(menu, driver, tmp_path):
    folder = tmp_path / "home" / "replays"
    folder.mkdir(parents=True)
    session = game("A B . L", "walker")
    for number in range(12):
        session.replay().write(folder / f"game-{number}.replay")
        os.utime(folder / f"game-{number}.replay", (1_700_000_000 + number, 1_700_000_000 + number))
    driver.press("r")
    ask = driver.app.screen
    assert [item.text for item in ask.list.items] == [f"game-{number}" for number in range(11, 3, -1)]
    assert driver.app.surface.get_rect().contains(ask.rect) and ask.rect.contains(ask.list.rect)
    driver.press("down")
    assert ask.field.text == str(folder / "game-10.replay")
    driver.click(ask.list.row_rect(3).center)
    driver.press("return")
    assert driver.app.screen.cursor.replay.source.endswith("game-8.replay")
    driver.press("escape", "r")
    driver.type("/none.replay")
    assert driver.app.screen.field.text == "/none.replay", "a path can still be typed"


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (500, 900)])
def test_the_replay_dialog_fits_in_every_window(driver, tmp_path, size):
    (tmp_path / "home" / "replays").mkdir(parents=True)
    game("A B . L", "walker").replay().write(tmp_path / "home" / "replays" / "one.replay")
    driver.open(MenuScreen, size=size)
    driver.press("r")
    ask = driver.app.screen
    rects = [widget.rect for widget in ask.form.widgets if widget.rect.width]
    assert all(ask.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    driver.press("return")
    assert driver.app.screen.cursor.replay.source.endswith("one.replay")


# --- descriptions


def test_rules_and_agents_are_described(menu, driver):
    driver.resize((1100, 760))
    assert menu.rules_about.text == f"milestone1: {GAME.presets[0].about}" and menu.rules_about.rect.height
    driver.click(menu.rules.row_rect(2).center)
    assert menu.rules_about.text == GAME.presets[1].about
    abouts = set()
    for row in range(len(GAME.agent_names)):
        driver.click(menu.agents.row_rect(row).center)
        abouts.add(menu.agent_about.text)
    assert len(abouts) == len(GAME.agent_names) and all(abouts)
    assert {agent.about for agent in GAME.agents} <= abouts, "another game has agents with the same names"


def test_the_menu_names_the_rules_that_the_map_was_made_for(menu, driver):
    assert "made for" not in menu.maps.items[1].below
    driver.click(menu.rules.row_rect(2).center)
    assert menu.maps.items[1].below.endswith("walker (made for milestone1)")
    assert menu.maps.items[8].below.endswith("walker"), "this map was made for the chosen rules"


# --- records


def test_records_are_shown_next_to_the_maps(driver):
    session = Session(GAME, GAME.levels.boards()[0])
    for _ in range(4):
        session.do(session.handler.press(session.state, "right"))
    assert session.outcome == "cleared"
    assert Records.load()[0].note(session)
    menu = driver.open(MenuScreen)
    assert menu.maps.items[1].note == "your best 4 · best possible 3" and menu.maps.items[2].note == ""
    assert "Your best: 4 steps" in menu.about.text and "Best possible: 3 steps" in menu.about.text


def test_the_records_shown_in_the_menu_depend_on_the_rules(driver):
    session = Session(GAME, GAME.levels.boards()[0])
    for _ in range(4):
        session.do(session.handler.press(session.state, "right"))
    Records.load()[0].note(session)
    menu = driver.open(MenuScreen)
    driver.click(menu.rules.row_rect(2).center)
    assert menu.rules.value == "walker" and menu.maps.items[1].note == ""


# --- buttons


def test_the_watch_button_starts_the_agent_at_once(menu, driver):
    driver.press("w")
    table = table_of(driver)
    assert table.table.pilot.on and table.table.pilot.agent == GAME.agent_names[0]


def test_keys_open_the_help_and_quit_the_program(menu, driver):
    driver.press("f1")
    assert isinstance(driver.app.screen, HelpScreen)
    driver.press("escape")
    assert driver.app.screen is menu
    driver.press("q")
    assert not driver.app.running


def test_the_menu_reappears_after_a_game(menu, driver):
    driver.press("down", "return")
    table_of(driver)
    driver.press("escape")
    assert isinstance(driver.app.screen, MenuScreen) and driver.app.screen.maps.value == NAMES[1]


# --- compilation


def test_the_window_stays_responsive_while_the_game_is_compiled(driver, monkeypatch):
    from shoverworld.desktop import start

    class Slow:
        done = False

    slow = Slow()
    monkeypatch.setitem(start._READY, "shover", slow)
    driver.open(MenuScreen)
    driver.press("return")
    assert isinstance(driver.app.screen, StartScreen)
    driver.frames(3)
    assert isinstance(driver.app.screen, StartScreen)
    driver.resize((400, 300))
    slow.done = True
    driver.frame()
    assert isinstance(driver.app.screen, TableScreen)


def test_the_menu_reappears_if_a_game_fails_to_start(driver):
    from shoverworld.desktop.start import go

    driver.open(MenuScreen)
    driver.until(lambda: ready(GAME))
    go(driver.app, GAME, lambda: TableScreen(driver.app, Session(GAME, board_from_text("A B L"), "chess")))
    driver.frame()
    assert isinstance(driver.app.screen, MenuScreen) and "chess" in driver.app.screen.status.text


# --- window sizes and random input


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 760), (1600, 900), (500, 900), (900, 300)])
def test_widgets_fit_and_do_not_overlap_at_any_window_size(driver, size):
    menu = driver.open(MenuScreen, size=size)
    whole = Rect(0, 0, *size)
    rects = [widget.rect for widget in menu.form.widgets if widget.rect.width] + [menu.preview.area]
    rects = [rect for rect in rects if rect.width]
    assert all(whole.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert menu.maps.rect.contains(menu.maps.row_rect(menu.maps.chosen).clip(menu.maps.rect))
    seen = driver.pixels()
    driver.app.refresh()
    driver.frame()
    assert (seen == driver.pixels()).all()


@pytest.mark.parametrize("size", [(800, 600), (1024, 700), (1280, 800)])
@pytest.mark.parametrize("game", ["shover", "sokoban", "race"])
def test_the_preview_is_wider_than_the_level_list_and_larger_than_the_other_lists(driver, game, size):
    menu = driver.open(MenuScreen, size=size, settings=Settings(game=game))
    picture, lists = menu.preview.area, [menu.rules.rect, menu.agents.rect]
    assert picture.left > menu.maps.rect.right and picture.width > menu.maps.rect.width
    assert all(picture.width * picture.height > rect.width * rect.height for rect in lists)
    assert menu.level_title.rect.width and menu.about.rect.width


def test_random_input_leaves_the_menu_in_a_consistent_state(driver):
    rng = random.Random(3)
    driver.open(MenuScreen)
    keys = ["up", "down", "left", "right", "tab", "home", "end", "page up", "page down", "backspace", "space", "5", "x", "f1", "f5"]  # fmt: skip
    for _ in range(250):
        size = driver.app.surface.get_size()
        spot = rng.randrange(size[0]), rng.randrange(size[1])
        act = rng.randrange(9)
        if act < 5:
            driver.key(rng.choice(keys), shift=rng.random() < 0.2)
        elif act == 5:
            driver.point(spot, False)
        elif act == 6:
            driver.wheel(rng.choice([-3, -1, 1, 3]))
        elif act == 7:
            driver.hold(spot, frame=False)
            driver.release((0, 0), frame=False)  # the mouse button is released elsewhere, so no button is pressed
        elif rng.random() < 0.4:
            driver.resize((rng.randrange(320, 1400), rng.randrange(240, 900)))
        driver.frame()
        if not driver.app.running or not isinstance(driver.app.screens[0], MenuScreen):
            driver.open(MenuScreen)
    while not isinstance(driver.app.screen, MenuScreen):
        driver.app.pop()
    driver.point((0, 0))
    driver.settle()
    seen = driver.pixels()
    driver.app.refresh()
    driver.frame()
    assert (seen == driver.pixels()).all()


# --- the command


@pytest.fixture
def command(driver, monkeypatch):
    """Return a function that runs `shover play ...` until `look(app)` returns a value, and then returns that value."""
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


def table_in(app):
    return app.screen if isinstance(app.screen, TableScreen) else None


def test_play_opens_the_menu_with_the_given_options(command):
    menu = command(
        lambda app: app.screen if isinstance(app.screen, MenuScreen) else None,
        "--rules", "walker", "--agent", "greedy", "--seed", "9",
    )  # fmt: skip
    assert (menu.rules.value, menu.agents.value, menu.app.settings.seed) == ("walker", "greedy", 9)


def test_play_opens_the_given_map(command):
    table = command(table_in, "12-hellify", "--no-animation", "--fps", "60", "--agent", "random")
    assert table.session.board.name == "12-hellify" and table.session.preset == "milestone1"
    assert (table.app.animation, table.app.fps, table.table.pilot.agent, table.table.pilot.on) == (
        False,
        60,
        "random",
        False,
    )


def test_play_opens_a_file_with_the_given_rules(command, tmp_path):
    (tmp_path / "mine.txt").write_text("A B L\n")
    table = command(table_in, str(tmp_path / "mine.txt"), "--rules", "phase2")
    assert table.session.preset == table.table.tour.rules == "phase2" and table.session.board.path == str(
        tmp_path / "mine.txt"
    )


def test_play_opens_a_map_with_changed_rules(command):
    table = command(table_in, "12-hellify", "--set", "initial_force=30", "--set", "hellify=whole")
    assert table.session.preset == "milestone1, initial_force=30, hellify=whole"
    assert (table.session.env.rules.initial_force, table.session.env.rules.hellify) == (30, "whole")
    assert table.table.tour.rules == "initial_force=30, hellify=whole"


def test_the_menu_offers_the_changed_rules_from_the_command_line(command):
    menu = command(lambda app: app.screen if isinstance(app.screen, MenuScreen) else None, "--set", "initial_force=30")
    assert menu.rules.value == "initial_force=30"
    assert menu.rules_about.text == f"milestone1, initial_force=30: {GAME.presets[0].about}"
    assert menu.preset == "milestone1, initial_force=30"


def test_a_game_from_the_menu_has_the_changed_rules(driver):
    menu = driver.open(MenuScreen, settings=Settings(preset="initial_force=30", board="05-over-the-edge"))
    assert (
        "phase2, initial_force=30 (made for phase2)"
        in menu.maps.items[menu.levels.names().index(menu.maps.value)].below
    )
    driver.press("return")
    table = table_of(driver)
    assert table.session.preset == "phase2, initial_force=30"
    assert table.table.rules == "phase2, initial_force=30 (made for phase2)"


def test_a_rule_change_that_is_incompatible_with_a_level_is_reported_when_the_level_is_opened(driver):
    menu = driver.open(MenuScreen, settings=Settings(preset="noop=true", board="05-over-the-edge"))
    assert menu.rules.value == "noop=true"  # compatible with the other levels, but not with z_base=0
    driver.press("return")
    assert driver.app.screen is menu
    assert "noop=True requires z_base" in menu.status.text


@pytest.mark.parametrize("preset", ["initial_forse=30", "initial_force=much", "chess, initial_force=30", "="])
def test_invalid_changes_in_the_settings_are_ignored(driver, preset):
    menu = driver.open(MenuScreen, settings=Settings(preset=preset))
    assert menu.rules.value == ""


def test_play_opens_a_random_map(command):
    table = command(table_in, "random", "--seed", "5", "--rules", "walker")
    assert (table.session.board.seed, table.session.preset) == (5, "walker")


@pytest.mark.parametrize("name", ["shoverworld/ShoverSelect-v0", "ShoverSelect-v0"])
def test_play_opens_the_environment_with_the_given_id(command, name):
    table = command(table_in, name, "--seed", "4")
    assert (table.session.board.seed, table.session.preset) == (4, "phase2")


def test_play_reports_corrupt_settings(command):
    place().parent.mkdir(parents=True)
    place().write_text("no JSON")
    assert "renamed to" in command(lambda app: app.note if table_in(app) else None, "01-first-push")

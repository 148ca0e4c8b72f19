"""Sokoban in the window: choosing the game, browsing a collection, and playing by keyboard and mouse."""

from pathlib import Path

import pygame
import pytest
from pygame import Rect

from shoverworld.core.errors import ConfigError
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act, Board
from shoverworld.desktop.browser import BrowserScreen
from shoverworld.desktop.clipboard import CLIPBOARD
from shoverworld.desktop.editor import EditorScreen
from shoverworld.desktop.ending import EndingScreen
from shoverworld.desktop.level_grid import draw_tick
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.move_list import MoveList
from shoverworld.desktop.table import TableScreen
from shoverworld.desktop.viewer import ViewerScreen
from shoverworld.games import game_named
from shoverworld.play.clipboard import WrittenMoves
from shoverworld.play.edit_session import EditSession, editor_of
from shoverworld.play.levels import LevelList
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from shoverworld.sokoban import Level, read_levels
from tests.windows import WindowDriver, changed_pixels, driver

__all__ = ["driver"]
GAME = game_named("sokoban")
LEVELS = """; The first
######
#@ $.#
######

; Two boxes
#######
#  .  #
# $@$ #
#  .  #
#######

; A long way
########
#@     #
# #### #
#   $. #
########
"""


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(LEVELS)
    return path


def open_level(app, levels: Path, at: int = 0) -> TableScreen:
    levels_list = LevelList(GAME, str(levels), app.records)
    return TableScreen(app, Session(GAME, levels_list.boards[at]), None, False, "", levels_list)


@pytest.fixture
def table(driver: WindowDriver, levels: Path) -> TableScreen:
    return driver.open(lambda app: open_level(app, levels), settings=Settings(game="sokoban"))


def center_of(table: TableScreen, row: int, col: int) -> tuple[int, int]:
    return table.view.rect_of((row, col)).center


def board(table: TableScreen) -> str:
    lines = table.session.env.map_text().splitlines()
    return "\n".join(line for line in lines if line.startswith("#"))


def wait_for_ending(driver: WindowDriver) -> dict[str, str]:
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    return {line.label: line.value for line in driver.app.screen.lines}


def open_browser(driver: WindowDriver, levels: Path) -> BrowserScreen:
    menu = driver.open(MenuScreen, settings=Settings(game="sokoban", collection=str(levels)))
    driver.press("b")
    assert isinstance(driver.app.screen, BrowserScreen) and menu in driver.app.screens
    return driver.app.screen


# --- the menu


def test_a_tab_or_a_key_selects_the_game(driver):
    menu = driver.open(MenuScreen)
    assert [tab.text for tab in menu.games] == ["Shover-World", "Sokoban", "Grid race"] and menu.games[0].on
    driver.press("down", "down")
    shover = menu.maps.value
    driver.click(menu.games[1].rect.center)
    menu = driver.app.screen
    assert menu.game is GAME and menu.title.text == "Sokoban" and menu.games[1].on
    assert [item.value for item in menu.rules.items] == ["", "sokoban", "pull", "fixed", "two"]
    assert [item.value for item in menu.agents.items] == list(GAME.agent_names)
    assert GAME.levels.collections()[0].title in menu.collection.text and "solved" in menu.collection.text
    driver.press("down", "g")
    assert driver.app.screen.game.name == "race"
    driver.press("g")
    menu = driver.app.screen
    assert menu.game.name == "shover" and menu.maps.value == shover, "the selection is unchanged"


def test_dropping_a_collection_selects_its_game(driver, levels):
    driver.open(MenuScreen)
    driver.drop(levels)
    menu = driver.app.screen
    assert menu.game is GAME and menu.collection.text == "three · 0 of 3 solved"
    assert [item.text for item in menu.maps.items][1:] == ["1  The first", "2  Two boxes", "3  A long way"]
    assert "3 levels" in menu.status.text and menu.maps.value == "three#1"
    driver.press("n")
    assert menu.maps.value == "three#2", "the next unsolved level"
    assert Settings.load()[0].collection == "" and driver.app.settings.collection == str(levels)


def test_an_unreadable_file_is_reported_with_a_reason_for_each_game(driver, tmp_path):
    menu = driver.open(MenuScreen)
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    driver.drop(tmp_path / "poem.txt")
    assert "for Shover-World" in menu.status.text and "for Sokoban" in menu.status.text
    assert driver.app.screen is menu


def test_a_single_level_is_added_to_the_list(driver, tmp_path):
    (tmp_path / "one.xsb").write_text("#####\n#@$.#\n#####\n")
    driver.open(MenuScreen)
    driver.drop(tmp_path / "one.xsb")
    menu = driver.app.screen
    assert menu.game is GAME and menu.maps.value == str(tmp_path / "one.xsb")
    driver.press("return")
    driver.until(lambda: isinstance(driver.app.screen, TableScreen))
    driver.press("right")
    assert wait_for_ending(driver)["Pushes"] == "1"


def test_a_random_level_is_generated_from_the_seed(driver):
    menu = driver.open(MenuScreen, settings=Settings(game="sokoban", board="random", seed=3))
    driver.until(lambda: not menu.waiting)
    assert "3" in menu.about.text
    driver.press("return")
    driver.until(lambda: isinstance(driver.app.screen, TableScreen))
    assert driver.app.screen.session.board.seed == 3
    driver.press("n")
    assert driver.app.screen.session.board.seed == 4


# --- the browser


def test_the_browser_shows_every_level_and_plays_the_selected_one(driver, levels):
    screen = open_browser(driver, levels)
    assert screen.title.text == "three" and screen.count.text == "0 of 3 solved"
    assert screen.grid.items == [0, 1, 2] and screen.grid.value == 0
    driver.press("right")
    assert (
        screen.grid.value == 1 and "Two boxes · 2 of 3" in screen.status.text and "not solved yet" in screen.status.text
    )
    pictures = {bytes(driver.pixels(screen.grid.row_rect(at).inflate(-40, -60)).data) for at in range(3)}
    assert len(pictures) == 3, "every level has its own picture"
    driver.click(screen.grid.row_rect(2).center)
    assert screen.grid.value == 2
    driver.press("return")
    driver.until(lambda: isinstance(driver.app.screen, TableScreen))
    table = driver.app.screen
    driver.until(lambda: table.display.panel.blocks)  # the panel is filled in the next frame
    assert table.session.board.title == "A long way" and table.display.panel.blocks[0].below.startswith("three, 3 of 3")


def test_solved_levels_show_a_tick_and_the_best_result(driver, levels):
    table = driver.open(lambda app: open_level(app, levels), settings=Settings(game="sokoban"))
    driver.press("right", "right")
    wait_for_ending(driver)
    driver.press("l")
    screen = driver.app.screen
    assert isinstance(screen, BrowserScreen) and screen.count.text == "1 of 3 solved"
    driver.press("left")
    assert "your best: 1 push, 2 moves" in screen.status.text
    mark = pygame.Surface((22, 22))
    draw_tick(mark, 11, 11)
    first = screen.grid.row_rect(0)
    corner = driver.pixels(Rect(first.right - 30, first.top + 8, 22, 22))
    green = tuple(mark.get_at((11, 3)))[:3]
    assert (corner == green).all(axis=2).sum() > 100, "the tick is drawn"
    driver.press("n")
    assert screen.grid.value == 1
    driver.press("return")
    assert driver.app.screen is table and table.session.board.title == "Two boxes", (
        "the game is shown again, without the end screen"
    )


def test_levels_are_searched_by_number_and_title(driver, levels):
    screen = open_browser(driver, levels)
    driver.press("/")
    driver.type("long")
    assert screen.grid.items == [2]
    driver.type("est")
    assert screen.grid.items == [] and screen.status.text == "No level matches the search."
    driver.press("return")
    assert driver.app.screen is screen, "there is no level to play"
    driver.press("escape")
    assert screen.grid.items == [0, 1, 2] and screen.form.focused is screen.grid
    driver.press("f")
    driver.type("2")
    driver.press("return")
    driver.until(lambda: isinstance(driver.app.screen, TableScreen))
    assert driver.app.screen.session.board.title == "Two boxes"


@pytest.mark.parametrize("key", ["/", "f"])
def test_the_key_that_opens_the_search_is_not_typed_into_the_field(driver, levels, key):
    screen = open_browser(driver, levels)
    driver.key(key, text=key)  # like a real keyboard, send a key event and a text event
    driver.frame()
    assert screen.form.focused is screen.search and screen.search.text == ""
    driver.key("2", text="2")
    driver.frame()
    assert screen.search.text == "2" and screen.grid.items == [1]
    driver.key(key, text=key)  # now the key types a letter
    driver.frame()
    assert screen.search.text == f"2{key}"


def test_another_collection_can_be_opened_with_a_key_or_a_path_or_by_dropping_a_file(driver, levels, tmp_path):
    screen = open_browser(driver, levels)
    known = [one.name for one in GAME.levels.collections()]
    driver.press("]")
    assert screen.browser.levels.name == known[0]
    driver.press("[")
    assert screen.browser.levels.name == str(levels)
    other = tmp_path / "other.txt"
    other.write_text(LEVELS.split("; A long")[0])
    driver.drop(other)
    assert screen.browser.levels.name == str(other) and len(screen.browser.levels) == 2
    driver.click(screen.path.rect.center)
    driver.type(str(levels))
    driver.press("return")
    assert screen.browser.levels.name == str(levels)
    driver.drop(tmp_path)  # a folder
    assert len(screen.browser.levels) == 5
    before = screen.browser.levels.name
    driver.drop(tmp_path / "nothing.txt")
    assert screen.browser.levels.name == before and "nothing.txt" in driver.app.note
    driver.press("escape")
    assert isinstance(driver.app.screen, MenuScreen)


def test_only_visible_levels_of_a_large_collection_are_drawn(driver, tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("\n".join(f"; Level {n}\n######\n#@$.{' ' if n % 2 else '#'}#\n######\n" for n in range(1000)))
    menu = driver.open(MenuScreen, settings=Settings(game="sokoban", collection=str(path)))
    assert len(menu.maps.items) == 1001 and len(menu.levels.thumbnails) < 30
    driver.press("b")
    screen = driver.app.screen
    driver.press("end")
    assert screen.grid.value == 999 and len(screen.grid.thumbnails) < 100
    driver.press("page up", "home", "down")
    assert screen.grid.value == screen.grid.columns
    driver.point(screen.grid.rect.center)
    driver.wheel(-3)
    assert screen.grid.scroll == 3 * screen.grid.row_height
    driver.wheel(1000)
    assert screen.grid.scroll == 0


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 750), (1600, 1000), (500, 900)])
def test_the_widgets_of_the_level_browser_fit_and_do_not_overlap(driver, levels, size):
    menu = driver.open(MenuScreen, size=size, settings=Settings(game="sokoban", collection=str(levels)))
    menu.browse()
    driver.frame()
    screen = driver.app.screen
    rects = [widget.rect for widget in screen.form.widgets if widget.rect.width and widget.rect.height]
    assert all(Rect(0, 0, *size).contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert screen.grid.rect.height > 40


# --- the table


def test_a_level_can_be_solved_with_the_keyboard_and_the_next_level_follows(table, driver):
    assert board(table) == "######\n#@ $.#\n######"
    driver.press("left")
    assert "wall" in table.table.message.text.lower() and table.session.moves == 0, "a blocked move costs nothing"
    driver.press("right", "u")
    assert table.session.moves == 0
    driver.press("y", "right")
    results = wait_for_ending(driver)
    assert (results["Pushes"], results["Moves"]) == ("1", "2") and results[
        "Your best"
    ] == "1 push, 2 moves (new record)"
    assert results["three"] == "1 of 3 solved"
    assert Records.load()[0].best(table.session.identity).words == "1 push, 2 moves"
    driver.press("return")
    assert driver.app.screen is table and table.session.board.title == "Two boxes"
    assert driver.app.settings.board == "three#2"
    driver.press("tab")
    assert table.session.board.title == "A long way"
    driver.press("tab", "tab")
    assert table.session.board.title == "Two boxes", "the levels wrap around"
    driver.press("j")
    assert table.session.board.title == "A long way", "the next unsolved level"
    driver.press("j")
    assert table.session.board.title == "Two boxes", "the first level is solved"


def test_one_undo_reverts_a_walk_made_with_the_mouse(table, driver):
    driver.press("tab", "tab")
    assert table.session.board.title == "A long way"
    start = board(table)
    driver.click(center_of(table, 3, 3))
    assert table.session.moves == 2 + 2 and board(table) != start, "the walk leads down and along the corridor"
    driver.press("u")
    assert table.session.moves == 0 and board(table) == start, "one undo reverts the whole walk"
    driver.press("y")
    assert table.session.moves == 4
    driver.press("r")
    driver.click(center_of(table, 3, 4))  # click the box
    assert "selected" in table.table.message.text
    driver.click(center_of(table, 3, 5))  # the target of the box
    assert table.session.score is not None
    results = wait_for_ending(driver)
    assert results["Pushes"] == "1" and "record" in results["Your best"]
    driver.click(next(b for b in driver.app.screen.form.widgets if b.text == "Undo").rect.center)
    assert table.session.moves == 0 and driver.app.screen is table


def test_a_walk_is_animated_step_by_step_and_any_key_completes_it(driver, levels):
    table = driver.open(lambda app: open_level(app, levels, 2), animation=True, settings=Settings(game="sokoban"))
    driver.click(center_of(table, 3, 3))
    assert table.session.moves == 1 and len(table.table.way) == 3
    driver.until(lambda: not table.table.way)
    assert table.session.moves == 4
    driver.press("u")
    driver.settle()
    driver.click(center_of(table, 3, 3))
    assert table.session.moves == 1
    driver.press("u")
    assert table.table.way == [] and table.session.moves == 0, "the walk was completed and then undone"
    driver.click(center_of(table, 3, 3))
    driver.press("right")
    assert table.session.moves == 5 and table.session.score is not None


def test_the_hint_and_the_plan_overlay_are_updated_after_each_move(table, driver):
    driver.press("tab")
    plans = next(overlay.key for overlay in GAME.ui.overlays.overlays if overlay.plans)
    driver.press("p")
    driver.until(lambda: table.table.hints.plan is not None and table.table.hints.plan.actions)
    assert "first of" in table.table.hints.text and table.table.hints.marks
    before = driver.pixels(table.view.area)
    driver.press(plans)
    driver.frame()
    assert changed_pixels(before, driver.pixels(table.view.area)).any()
    assert "moves to go" in table.table.hints.plan_ahead
    for action in list(table.table.hints.plan.actions):
        assert table.table.hints.plan is not None and table.table.hints.plan.actions[0] == action, (
            "the plan is kept while the player follows it"
        )
        table.table.play(Act(action))
    results = wait_for_ending(driver)
    assert "hint" in results["Help from"] and "Your best" not in results


def test_every_overlay_is_visible(table, driver):
    driver.press("tab")
    plain = driver.pixels(table.view.area)
    for overlay in GAME.ui.overlays.overlays:
        if not overlay.plans:
            driver.press(overlay.key)
            driver.frame()
            assert changed_pixels(plain, driver.pixels(table.view.area)).any(), overlay.name
            driver.press(overlay.key)
            driver.frame()


def test_the_agent_solves_the_level(driver, levels):
    table = driver.open(lambda app: open_level(app, levels, 1), settings=Settings(game="sokoban", speed=64.0))
    driver.press("space")
    driver.until(lambda: table.session.score is not None)
    assert table.session.helpers == ["planner"]


def test_the_help_describes_sokoban(table, driver):
    driver.press("f1")
    shown = str(driver.app.screen.sections)
    assert "Sokoban" in driver.app.screen.title and "walk or push" in shown and "stamina" not in shown.lower()


# --- replays


def test_a_replay_can_be_played_and_scrubbed_and_continued(table, driver):
    driver.press("tab", "left")
    driver.press("right", "right", "k", "v")
    viewer = driver.app.screen
    assert isinstance(viewer, ViewerScreen) and viewer.cursor.last == 3
    driver.press("end")
    assert viewer.cursor.place == 3
    driver.press("home", "right")
    assert viewer.cursor.place == 1
    line = viewer.transport.timeline
    driver.drag((line.x_of(1), line.rect.bottom - 9), (line.x_of(3), line.rect.bottom - 9))
    assert viewer.cursor.place == 3
    driver.press("home", "right", "t")
    taken = driver.app.screen
    assert isinstance(taken, TableScreen) and taken.session.moves == 1 and taken.session.helpers == ["replay"]
    saved = list((Path(driver.app.screenshot()).parent.parent / "replays").glob("*.replay"))
    assert len(saved) == 1
    assert Replay.read(saved[0]).steps == 3


def test_the_timeline_marks_the_moves_that_push_boxes_onto_targets(driver, levels):
    driver.open(lambda app: open_level(app, levels, 1), settings=Settings(game="sokoban"))
    driver.press("up", "v")
    assert driver.app.screen.cursor.markers == []
    driver.press("escape", "u")
    table = driver.app.screen
    driver.press("tab")
    while table.session.board.title != "The first":
        driver.press("tab")
    driver.press("right", "right")
    wait_for_ending(driver)
    driver.press("v")
    assert [kind for _, kind in driver.app.screen.cursor.markers] == ["goal", "end"]


# --- the editor


def test_a_level_can_be_drawn_and_saved_and_played(driver, tmp_path):
    drawing = EditSession.blank(GAME)
    path = tmp_path / "mine.xsb"
    screen = driver.open(lambda app: EditorScreen(app, drawing), settings=Settings(game="sokoban"))
    keys = {brush.name.lower(): brush.key for brush in editor_of(GAME).brushes}
    assert {"wall", "box", "target", "player"} <= set(keys)
    screen.edit.change(lambda draft: draft.resized(3, 6))

    def paint(brush: str, *cells: tuple[int, int]) -> None:
        driver.press(keys[brush])
        for at in cells:
            driver.click(screen.view.rect_of(at).center)

    paint("wall", *[(row, col) for row in range(3) for col in range(6) if row != 1 or col in (0, 5)])
    paint("floor", *[(1, col) for col in range(1, 5)])
    paint("player", (1, 1))
    paint("box", (1, 3))
    assert any(problem.serious for problem in drawing.problems()), "a target is missing"
    paint("target", (1, 4))
    assert not any(problem.serious for problem in drawing.problems())
    driver.press("p")
    driver.until(lambda: "Planning" not in screen.solver.text)
    assert screen.solver.text == "The level can be solved: 1 push, 2 moves; no plan needs fewer pushes."
    drawing.save(str(path))
    (level,) = read_levels(path)
    assert level.lines() == ["######", "#@ $.#", "######"]
    driver.press("t")
    table = driver.app.screen
    assert isinstance(table, TableScreen)
    driver.press("right", "right")
    assert wait_for_ending(driver)["Pushes"] == "1"


def test_saving_a_level_never_overwrites_its_collection(table, driver, levels):
    driver.press("tab", "e")
    editor = driver.app.screen
    assert isinstance(editor, EditorScreen) and editor.edit.path is None
    assert editor.edit.name.startswith("three")


def drawing_of(path: object = None, game: str | None = None, **options: str) -> EditSession:
    """Return the edit session that `shover edit` would open."""
    from argparse import Namespace

    from shoverworld.commands.edit import drawing_for

    given = None if path is None else str(path)
    return drawing_for(
        Namespace(map=given, game=game, rules=options.get("rules"), set=[], format=options.get("format"))
    )


def test_the_edit_command_detects_which_game_a_file_belongs_to(levels, tmp_path):
    assert drawing_of().game.name == "shover" and drawing_of(game="sokoban").game is GAME
    assert drawing_of(f"{levels}#2").draft.rows == 5
    new = drawing_of(tmp_path / "new.xsb")
    assert new.game is GAME and new.path == str(tmp_path / "new.xsb")
    assert drawing_of(tmp_path / "new.txt").game.name == "shover"
    (tmp_path / "one.txt").write_text("#####\n#@$.#\n#####\n")
    one = drawing_of(tmp_path / "one.txt")
    assert one.game is GAME and one.path == str(tmp_path / "one.txt")
    with pytest.raises(ConfigError, match=r"three.txt has 3 levels: specify one of them, as in .*three.txt#1"):
        drawing_of(levels)
    with pytest.raises(ConfigError, match="format='Z'"):
        drawing_of(game="sokoban", format="Z")


def test_rules_that_are_incompatible_with_a_level_are_reported_in_the_menu(driver, levels):
    driver.open(MenuScreen, settings=Settings(game="sokoban", collection=str(levels), preset="two"))
    driver.press("return")
    driver.until(lambda: isinstance(driver.app.screen, MenuScreen) and driver.app.screen.status.text)
    assert "one player" in driver.app.screen.status.text and "two" in driver.app.screen.status.text


# --- the clipboard and the list of moves


class Memory:
    """A clipboard in memory, in place of the system clipboard."""

    text = ""

    def put(self, text):
        self.text = text

    def get(self):
        return self.text


@pytest.fixture
def memory(monkeypatch):
    from shoverworld.desktop import editor, menu, table, viewer

    memory = Memory()
    for module in (editor, menu, table, viewer):
        monkeypatch.setattr(module, "CLIPBOARD", memory)
    return memory


XSB = "######\n#@$. #\n######\n"


def open_drawn(driver, text="#######\n#@ $ .#\n#######"):
    board = Board("drawn", "sokoban", Level.parse(text), "Drawn")
    return driver.open(lambda app: TableScreen(app, Session(GAME, board), watch=False), (1100, 800))


def test_the_system_clipboard_is_used(driver):
    open_drawn(driver)
    CLIPBOARD.put("rRR")
    assert CLIPBOARD.get() == "rRR"


def test_levels_and_moves_are_copied_and_pasted_during_a_game(driver, memory):
    table = open_drawn(driver)
    driver.press("right", "right")
    driver.press("c", control=True, shift=True)
    assert memory.text == "rR"
    driver.press("c", control=True)
    assert Level.parse(memory.text) == table.session.board.level
    memory.text = "rRR"
    driver.press("v", control=True)
    viewer = driver.app.screen
    assert isinstance(viewer, ViewerScreen) and viewer.playing and viewer.cursor.last == 3
    driver.until(lambda: viewer.cursor.place == 3, seconds=0.2)
    driver.press("c")
    assert driver.app.note == "Copied 3 moves to the clipboard."
    driver.press("escape")
    assert driver.app.screen is table and table.session.moves == 2
    memory.text = XSB
    driver.press("v", control=True)
    assert table.session.board.level == Level.parse(XSB) and table.session.moves == 0
    memory.text = "A . B . L"
    driver.press("v", control=True)
    assert driver.app.screen is not table and driver.app.screen.table.game.name == "shover"
    driver.press("escape")
    assert driver.app.screen is table


def test_the_panel_lists_the_moves_before_and_after_the_current_position(driver):
    table = open_drawn(driver)
    driver.press("right", "right")
    driver.press("u")
    block, rect = next(found for found in table.display.panel.placed() if isinstance(found[0], MoveList))
    assert block.moves == (("r",), ("R",), "") and table.display.panel.rect.contains(rect)
    long = MoveList(WrittenMoves(("r",) * 3000, ("l",) * 3000, ""))
    lines = long._lines(200)
    assert len(lines) == 5 and lines[2][0].startswith("r") and lines[-1][1].startswith("l")


def test_a_level_is_copied_and_pasted_in_the_editor(driver, memory):
    level = Level.parse("#######\n#@ $ .#\n#######")
    board = Board("drawn", "sokoban", level, "Drawn")
    editor = driver.open(lambda app: EditorScreen(app, EditSession.of(GAME, board, "sokoban")))
    driver.press("c", control=True)
    assert Level.parse(memory.text) == level
    memory.text = XSB
    driver.press("v", control=True)
    assert editor.edit.board().level == Level.parse(XSB) and "Pasted a level" in driver.app.note
    driver.press("u")
    assert editor.edit.board().level == level
    memory.text = "rRR"
    driver.press("v", control=True)
    assert isinstance(driver.app.screen, ViewerScreen) and driver.app.screen.cursor.outcome == "solved"
    driver.press("escape")
    memory.text = "rubbish"
    driver.press("v", control=True)
    assert driver.app.screen is editor and "neither a level nor moves" in driver.app.note


def test_a_level_or_a_replay_can_be_pasted_into_the_menu(driver, memory):
    menu = driver.open(lambda app: MenuScreen(app), settings=Settings(game="sokoban"))
    memory.text = XSB
    driver.press("v", control=True)
    assert isinstance(driver.app.screen, TableScreen)
    memory.text = driver.app.screen.session.replay().to_text()
    driver.press("escape")
    assert driver.app.screen is menu
    driver.press("v", control=True)
    assert isinstance(driver.app.screen, ViewerScreen)
    driver.press("escape")
    memory.text = ""
    driver.press("v", control=True)
    assert menu.status.text == "the clipboard contains no text"


def test_a_test_game_from_the_editor_shows_the_proven_optimum(driver):
    board = Board("drawn", "sokoban", Level.parse("#######\n#@ $ .#\n#######"), "Drawn")
    editor = driver.open(lambda app: EditorScreen(app, EditSession.of(GAME, board, "sokoban")), (1100, 800))
    driver.press("p")
    driver.until(lambda: editor.solver.text.startswith("The level can be solved"))
    driver.press("t")
    table = driver.app.screen.table
    assert [(line.label, line.value) for line in table.best_results()] == [("Best possible", "2 pushes, 3 moves")]
    driver.press("right", "right", "right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    assert "Perfect: you matched it!" in str(driver.app.screen.lines)
    driver.press("escape")
    assert driver.app.screen is editor
    driver.press("f")
    assert editor.solver.best(editor.edit) is None, "the level has changed"

"""A game in the window: play by keyboard and mouse, hints, agents and overlays."""

import random
from pathlib import Path

import numpy as np
import pygame
import pytest
from pygame import Rect

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP
from shoverworld.core.plan import Plan
from shoverworld.core.replay import Replay
from shoverworld.core.ui import Act
from shoverworld.desktop import theme
from shoverworld.desktop.dialog import Ask
from shoverworld.desktop.ending import EndingScreen
from shoverworld.desktop.figures import Numbers, Specials
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.panel import Heading, Keys, Line, Switches, Words
from shoverworld.desktop.table import TableScreen
from shoverworld.games.shover.tiles import PLAIN_BOX
from shoverworld.play import unfinished
from shoverworld.play.commands import COMMANDS, key_name
from shoverworld.play.planning import BackgroundPlanner
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from tests.windows import GAME, WindowDriver, board_from_text, changed_pixels, driver, game

__all__ = ["driver"]

ROW = "A . B . L"
YARD = """
. . . . .
. A B . .
. . . B .
L . . . #
"""


@pytest.fixture
def open_table(driver):
    """Return a function that opens the game screen with a board given as a string."""

    def open_at(text: str = YARD, preset: str = "milestone1", **options) -> TableScreen:
        agent = options.pop("agent", None)
        watch = options.pop("watch", None)
        return driver.open(lambda app: TableScreen(app, game(text, preset), agent, watch), **options)

    return open_at


def board_of(table: TableScreen) -> str:
    """Return the current map without spaces."""
    return "\n".join(
        line.replace(" ", "") for line in table.session.env.map_text().splitlines() if not line.startswith("//")
    )


def shover_at(table: TableScreen) -> tuple[int, int]:
    return tuple(int(x) for x in GAME.ui.drawing.scene(table.session.state).actors[0].end)


def matches_full_redraw(driver: WindowDriver, table: TableScreen) -> bool:
    """Return whether the screen looks the same after a full redraw."""
    seen = driver.pixels()
    driver.app.refresh()
    driver.frame(0.0)
    return bool((seen == driver.pixels()).all())


def center_of(table: TableScreen, row: int, col: int) -> tuple[int, int]:
    return table.view.rect_of((row, col)).center


def panel_text(table: TableScreen) -> str:
    """Return the whole text of the panel, including text that does not fit."""
    lines = []
    for block in table.display.panel.blocks:
        if isinstance(block, Line):
            lines.append(f"{block.figure.label}: {block.figure.value}")
        elif isinstance(block, Switches):
            lines += [f"{switch.key} {switch.name} {switch.on}" for switch in block.switches]
        elif isinstance(block, Words):
            lines.append(f"{block.head}: {block.text}")
    return "\n".join(lines)


# --- keys of the game


@pytest.mark.parametrize("preset", ["milestone1", "walker"])
@pytest.mark.parametrize(("keys", "place"), [("up w", (0, 1)), ("down s", (2, 1)), ("left a", (1, 0))])
def test_arrows_and_letters_move_the_shover(open_table, driver, preset, keys, place):
    for key in keys.split():
        table = open_table(preset=preset)
        driver.press(key)
        assert shover_at(table) == place and table.session.steps == 1


@pytest.mark.parametrize("key", ["right", "d"])
def test_an_arrow_key_pushes_a_box(open_table, driver, key):
    table = open_table(preset="walker")
    driver.press(key)
    assert board_of(table) == ".....\n..AB.\n...B.\nL...#"


def test_the_barrier_maker_and_hellify_keys_change_the_board(open_table, driver):
    table = open_table("A . . . .\n. B B . .\n. B B . .\n. . . . B")
    driver.press("b")
    assert board_of(table) == "A....\n.##..\n.##..\n....B"
    table = open_table("A . . . . .\n. B B B . .\n. B B B . .\n. B B B . .\n. . . . . B")
    driver.press("h")
    assert board_of(table) == "A.....\n......\n..L...\n......\n.....B"


def test_the_panel_and_the_message_line_explain_an_invalid_move(open_table, driver):
    table = open_table("A # B L", "walker")
    driver.press("right")
    assert "barrier" in table.table.message.text
    assert "invalid: there is a barrier at row 0, column 1" in panel_text(table)
    assert table.session.steps == 1


def test_an_unbound_key_does_nothing(open_table, driver):
    table = open_table()
    assert driver.press("j", "f5") == [] and table.session.steps == 0
    driver.key("u", control=True)
    driver.frame()
    assert table.session.steps == 0


# --- the mouse


def test_a_click_on_a_free_cell_moves_the_shover_without_using_a_step(open_table, driver):
    for preset in ("milestone1", "walker"):
        table = open_table(preset=preset)
        driver.click(center_of(table, 3, 2))
        assert shover_at(table) == (3, 2) and table.session.steps == 0


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_click_selects_a_box_and_a_direction_key_pushes_it(open_table, driver, preset):
    table = open_table(preset=preset)
    driver.click(center_of(table, 2, 3))
    assert table.session.handler.selected == (2, 3) and table.session.steps == 0
    driver.press("left")
    assert board_of(table).splitlines()[2] == "..BA."
    driver.press("left")
    assert board_of(table).splitlines()[2] == ".BA..", "the box stays selected"


def test_a_click_on_an_adjacent_box_pushes_it(open_table, driver):
    table = open_table(preset="walker")
    driver.click(center_of(table, 1, 2))
    assert board_of(table).splitlines()[1] == "..AB."


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
@pytest.mark.parametrize(("way", "dx", "dy"), [(UP, 0, -1), (RIGHT, 1, 0), (DOWN, 0, 1), (LEFT, -1, 0)])
def test_dragging_a_box_pushes_it_in_the_direction_of_the_drag(open_table, driver, preset, way, dx, dy):
    table = open_table(". . . . .\n. . . . .\n. . B . .\n. . . . .\nA . . . B", preset)
    start = center_of(table, 2, 2)
    reach = table.view.cell_size
    driver.drag(start, (start[0] + dx * reach, start[1] + dy * reach))
    boxes = GAME.ui.drawing.scene(table.session.state).tiles
    assert boxes[2 + dy, 2 + dx] == PLAIN_BOX and boxes[2, 2] == 0 and table.session.steps == 1


def test_with_walker_rules_the_box_in_front_of_the_shover_can_be_dragged(open_table, driver):
    table = open_table(preset="walker")
    start = center_of(table, 1, 2)
    driver.drag(start, (start[0] + table.view.cell_size, start[1]))
    assert board_of(table).splitlines()[1] == "..AB."
    start = center_of(table, 2, 3)
    driver.drag(start, (start[0] + table.view.cell_size, start[1]))
    assert table.session.steps == 1 and "stand left of it" in table.table.message.text


def test_a_small_mouse_movement_is_a_click(open_table, driver):
    table = open_table(preset="phase2")
    start = center_of(table, 2, 3)
    driver.drag(start, (start[0] + table.view.cell_size // 4, start[1]))
    assert table.session.steps == 0 and table.session.handler.selected == (2, 3)


def test_a_drag_that_returns_to_its_start_is_cancelled(open_table, driver):
    table = open_table(preset="phase2")
    start = center_of(table, 2, 3)
    driver.hold(start)
    driver.point((start[0] + table.view.cell_size, start[1]))
    driver.release((start[0] + 2, start[1]))
    assert table.session.steps == 0


def test_a_mouse_press_outside_the_board_does_nothing(open_table, driver):
    table = open_table()
    driver.drag((2, 2), center_of(table, 1, 2))
    driver.click(table.display.panel.rect.center)
    assert table.session.steps == 0 and not table.session.can_undo


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_hovering_over_a_box_shows_the_chain_and_the_cost_and_the_effect_of_a_push(open_table, driver, preset):
    table = open_table("A B B . L", preset)
    before = driver.pixels()
    rect = table.view.rect_of((0, 1))
    driver.point((rect.right - 3, rect.centery))
    assert table.table.message.text.startswith("Push 2 boxes right: 60 stamina")
    chain = table.view.rect_of((0, 1)).union(table.view.rect_of((0, 3)))
    changed = changed_pixels(before, driver.pixels())
    assert changed[chain.top : chain.bottom, chain.left : chain.right].any()
    assert not changed[: chain.top - table.view.cell_size // 4].any(), "nothing changes above the board"
    assert table.session.steps == 0 and matches_full_redraw(driver, table)
    driver.point((2, 2))
    assert (driver.pixels()[: chain.bottom] == before[: chain.bottom]).all()


def test_the_preview_is_computed_only_when_the_pointer_reaches_another_cell_or_side(open_table, driver):
    table = open_table("A B B . L")
    asked = []
    hover = table.session.handler.hover
    table.session.handler.hover = lambda *place: asked.append(place[1:]) or hover(*place)
    rect = table.view.rect_of((0, 1))
    for dx in range(1, 8):
        driver.point((rect.right - 2 - dx, rect.centery))
    driver.frames(5)
    assert asked == [((0, 1), RIGHT)]
    driver.point((rect.left + 2, rect.centery))
    assert asked[1:] == [((0, 1), LEFT)]


def test_the_preview_during_a_drag_shows_where_the_box_would_go(open_table, driver):
    table = open_table(preset="phase2")
    start = center_of(table, 2, 3)
    driver.hold(start)
    driver.point((start[0] - table.view.cell_size, start[1]))
    assert "left" in table.table.message.text


def edge_point(table: TableScreen, cell: tuple[int, int], way: int) -> tuple[int, int]:
    """Return a point inside a cell, near one of the sides."""
    rect, far = table.view.rect_of(cell), table.view.cell_size * 2 // 5
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[way]
    return rect.centerx + right * far, rect.centery + down * far


def test_pointing_at_the_middle_of_a_box_selects_no_direction(open_table, driver):
    table = open_table("A . B . L\n. . . . .")
    driver.point(center_of(table, 0, 2))
    assert table.table.message.text.startswith("Box at row 0, column 2. Cost of a push: right 50, down 50, left 50")
    assert [mark.text for mark in table.table.preview.marks] == [""]
    driver.point(edge_point(table, (0, 2), LEFT))
    assert table.table.message.text.startswith("Push 1 box left: 50 stamina")
    assert matches_full_redraw(driver, table)


def test_the_selection_is_visible_under_the_pointer(open_table, driver):
    table = open_table("A . B . L\n. . . . .")
    driver.click(center_of(table, 0, 2))
    assert "Choose a direction with the arrows or WASD: right 50, down 50, left 50." in table.table.message.text
    (selected,) = table.session.handler.marks(table.session.state)
    rect = table.view.rect_of((0, 2))
    for way in (UP, RIGHT, DOWN, LEFT):
        driver.point(edge_point(table, (0, 2), way))
        line = [tuple(pixel) for pixel in driver.pixels(Rect(rect.left, rect.bottom - 9, rect.width, 1))[0]]
        assert selected.colour in line, "the frame of the selection covers the frame of the preview"
    assert matches_full_redraw(driver, table)


@pytest.mark.parametrize("by", ["key", "drag", "click"])
def test_no_preview_is_shown_after_a_push_until_the_pointer_reaches_another_cell(open_table, driver, by):
    table = open_table("A . B . . L\n. . . . . .", "phase2")
    driver.click(center_of(table, 0, 2))
    if by == "key":
        driver.press("right")
    elif by == "drag":
        driver.drag(center_of(table, 0, 2), center_of(table, 0, 3))
    else:
        driver.click(center_of(table, 0, 3))
    assert table.session.steps == 1 and table.table.message.text == "Pushed 1 box right"
    driver.point((driver.mouse[0] + 2, driver.mouse[1] + 1))
    assert table.table.message.text == "Pushed 1 box right" and not table.table.preview.marks
    driver.point(center_of(table, 1, 3))
    assert "Pushed" not in table.table.message.text


def test_a_click_next_to_the_selected_box_pushes_it(open_table, driver):
    table = open_table("A . B . L\n. . . . .")
    driver.click(center_of(table, 0, 2))
    driver.point(center_of(table, 0, 3))
    assert table.table.message.text.startswith("Click: push 1 box right: 50 stamina")
    driver.click(center_of(table, 0, 3))
    assert board_of(table).splitlines()[0] == "..ABL" and table.session.steps == 1
    driver.click(center_of(table, 0, 4))
    assert table.session.outcome == "cleared"


# --- the cursor


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_box_is_selected_and_pushed_with_the_keyboard(open_table, driver, preset):
    table = open_table("A . . .\n. . B .\n. . . .", preset)
    driver.press("x")
    # phase2 has no shover, so the cursor appears in the middle
    assert table.table.cursor.cell == ((0, 0) if preset == "milestone1" else (1, 2))
    driver.press("up", "up", "left", "left", "right", "d", "s")
    assert table.table.cursor.cell == (1, 2) and table.session.steps == 0
    assert table.table.message.text.startswith("Box at row 1, column 2") and matches_full_redraw(driver, table)
    driver.press("return")
    assert table.table.cursor.cell is None and table.session.handler.selected == (1, 2)
    assert "Choose a direction" in table.table.message.text
    driver.press("right")
    assert board_of(table).splitlines()[1] == "..AB"
    assert table.session.steps == 1 and matches_full_redraw(driver, table)


@pytest.mark.parametrize("key", ["x", "escape"])
def test_hiding_the_cursor_leaves_the_game_unchanged(open_table, driver, key):
    table = open_table(preset="phase2")
    clean = driver.pixels(table.view.area)
    driver.press("x", "right")
    assert changed_pixels(clean, driver.pixels(table.view.area)).any()
    driver.press(key)
    assert driver.app.screen is table and table.table.cursor.cell is None and table.session.steps == 0
    assert (driver.pixels(table.view.area) == clean).all()


def test_if_no_box_is_selected_a_message_explains_how_to_select_one(open_table, driver):
    table = open_table("A . . B", "phase2")
    driver.press("right")
    assert table.table.message.text == "Select a box first: click it, or press X for a cursor."


# --- buttons of the panel


def button_position(table: TableScreen, key: str) -> tuple[int, int]:
    """Return the position of the button for a key in the panel."""
    for block, rect in table.display.panel.placed():
        if isinstance(block, Keys):
            for (name, _), place in zip(block.keys, block.places(rect.width), strict=True):
                if name == key:
                    return place.move(rect.topleft).center
        elif isinstance(block, Switches):
            for place, switch in enumerate(block.switches):
                if switch.key == key:
                    return rect.centerx, rect.top + round((place + 0.4) * (rect.height - 8) / len(block.switches))
        elif isinstance(block, Specials):
            for place, move in enumerate(block.moves):
                if move.key == key:
                    return rect.centerx, rect.top + round((place + 0.5) * rect.height / len(block.moves))
    raise AssertionError(f"no button for {key}")


def test_the_panel_has_buttons_for_the_main_keys(open_table, driver):
    table = open_table(preset="walker")
    driver.press("down", "right")
    driver.click(button_position(table, "u"))
    assert table.session.steps == 1
    driver.click(button_position(table, "r"))
    assert table.session.steps == 0
    driver.click(button_position(table, "3"))
    assert table.table.overlays == {"1", "3"}
    driver.click(button_position(table, "n"))
    assert table.session.board.seed is not None
    driver.click(button_position(table, "f1"))
    assert isinstance(driver.app.screen, HelpScreen)


def test_a_button_is_not_pressed_if_the_mouse_is_released_elsewhere(open_table, driver):
    table = open_table(preset="walker")
    driver.press("down")
    driver.hold(button_position(table, "u"))
    driver.release(button_position(table, "r"))
    assert table.session.steps == 1


@pytest.mark.parametrize("size", [(900, 640), (1100, 760), (640, 480), (500, 900)])
def test_panel_buttons_do_not_overlap(open_table, driver, size):
    table = open_table(size=size)
    for block, rect in table.display.panel.placed():
        if isinstance(block, Keys):
            places = [place.move(rect.topleft) for place in block.places(rect.width)]
            assert all(rect.contains(place) for place in places)
            assert all(place.collidelist(places[n + 1 :]) < 0 for n, place in enumerate(places))
            assert [table.display.panel.key_at(place.center) for place in places] == [key for key, _ in block.keys]
            break
    else:
        raise AssertionError("the panel has no room for the buttons")


# --- undo


def test_undo_and_redo_restore_the_board(open_table, driver):
    table = open_table(preset="walker")
    start = board_of(table)
    driver.press("right", "right")
    after = board_of(table)
    driver.press("u", "u")
    assert board_of(table) == start and table.session.steps == 0
    driver.press("u")
    assert "no move to undo" in table.table.message.text
    driver.press("y")
    driver.press("u", shift=True)
    assert board_of(table) == after
    driver.press("y")
    assert "no move to redo" in table.table.message.text and matches_full_redraw(driver, table)


def test_a_reset_restarts_the_game_and_can_be_undone(open_table, driver):
    table = open_table(preset="walker")
    start = board_of(table)
    driver.press("right", "down", "r")
    assert board_of(table) == start and table.session.steps == 0
    driver.press("y", "y")
    assert table.session.steps == 2


# --- maps


def test_tab_opens_the_next_map_and_keeps_unfinished_games(open_table, driver):
    names = [board.name for board in GAME.levels.boards()]
    table = driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    driver.press("right")
    driver.press("tab")
    assert table.session.board.name == names[1] and table.session.steps == 0
    driver.press("tab", shift=True)
    assert table.session.board.name == names[0] and table.session.steps == 1
    driver.press("tab", shift=True)
    assert table.session.board.name == names[-1] and table.session.preset == GAME.levels.boards()[-1].preset
    assert matches_full_redraw(driver, table)


def test_tab_after_a_random_map_continues_with_the_lessons(driver):
    names = [board.name for board in GAME.levels.boards()]
    table = driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[3])))
    driver.press("n", "n", "tab")
    assert table.session.board.name == names[4]
    driver.press("n")
    driver.press("tab", shift=True)
    assert table.session.board.name == names[4], "the previous map is the one that was played before"


def test_the_panel_names_the_rules_that_the_map_was_made_for(driver):
    session = Session(GAME, GAME.levels.boards()[0], "walker")
    table = driver.open(lambda app: TableScreen(app, session))
    assert table.display.panel.blocks[0].below == "Lessons, 1 of 16 · walker (made for milestone1)"


def test_the_chosen_rules_apply_to_every_map(driver):
    session = Session(GAME, GAME.levels.boards()[0], "walker")
    table = driver.open(lambda app: TableScreen(app, session, rules="walker"))
    driver.press("tab", "tab", "tab", "tab")
    assert table.session.board.preset == "phase2" and table.session.preset == "walker"


def test_pressing_n_generates_a_new_random_map(open_table, driver):
    table = open_table(preset="walker")
    driver.press("n")
    first = table.session.board
    driver.press("n")
    assert first.seed is not None and table.session.board.seed == first.seed + 1
    assert table.session.preset == "walker" and matches_full_redraw(driver, table)


# --- hints


def test_a_hint_shows_the_first_move_of_the_plan(open_table, driver):
    table = open_table("A . B . L")
    clean = driver.pixels()
    driver.press("p")
    assert "Hint:" in panel_text(table), "the panel shows that the planner is working"
    driver.until(lambda: table.table.hints.plan and table.table.hints.plan.actions and not table.table.hints.thinking)
    driver.frame()
    assert "row 0, column 2 to the right" in panel_text(table)
    assert table.session.helpers == ["hint"]
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, driver.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    steps = table.table.hints.plan.steps
    table.table.play(Act(table.table.hints.plan.actions[0]))
    driver.frame()
    assert "Hint:" not in panel_text(table), "the hint disappears after the move"
    driver.press("p")
    assert table.table.hints.plan.steps == steps - 1 and not table.table.hints.thinking, "the rest of the plan is kept"
    assert matches_full_redraw(driver, table)


class NeverFinishingPlanner(BackgroundPlanner):
    """A planner that never answers."""

    asked, stage, busy = None, "thinking", True

    def ask(self, game, env, state, seconds):
        self.asked = state

    @property
    def state(self):
        return self.asked


def test_a_hint_shows_the_time_spent_planning(open_table, driver):
    table = open_table()
    table.table.hints.planner = NeverFinishingPlanner()
    driver.press("p")
    for _ in range(3):
        driver.frame(1.0)
    assert "Hint: Thinking … 3 s" in panel_text(table)
    table.table.hints.keep(Plan("solved", [(2, 3, 4), (2, 2, 4)]))
    driver.frame(1.0)
    assert panel_text(table).count("; still thinking … 4 s") == 1


def test_each_repeated_hint_request_allows_more_planning_time(open_table, driver):
    table = open_table("A . B . . . L\n. B . . . B .\n. . B B . . .\nL . . . . . L")
    asked = []
    table.table.hints.planner.ask = lambda game, env, state, seconds: asked.append(seconds)  # the planner never answers
    driver.press("p", "p", "p")
    assert asked == [2.0, 8.0, 32.0]
    driver.press("down", "p")
    assert asked[3:] == [2.0], "a new position starts with the short time again"


def test_an_unsolvable_position_is_reported(open_table, driver):
    table = open_table("A . B #\n. . . .")
    driver.press("p")
    driver.until(lambda: table.table.hints.plan is not None and not table.table.hints.thinking)
    driver.frame()
    text = panel_text(table)
    assert "cannot be solved" in text or "No plan was found" in text


def test_the_window_stays_responsive_while_the_planner_runs(open_table, driver):
    table = open_table(preset="walker")
    driver.press("p")
    driver.press("down")  # handled while the planner runs
    assert shover_at(table) == (2, 1) and table.session.steps == 1
    driver.until(lambda: not table.table.hints.thinking)


# --- agents


def test_the_agent_can_be_started_and_stopped(open_table, driver):
    table = open_table("A . B . . . L\n. . B . . . L", agent="greedy", watch=False)
    driver.press("space")
    assert "greedy" in panel_text(table)
    driver.until(lambda: table.session.steps >= 2)
    driver.press("space")
    steps = table.session.steps
    driver.frames(60)
    assert table.session.steps == steps and table.session.helpers == ["greedy"]
    driver.press("space")
    driver.until(lambda: table.session.outcome)
    assert table.session.outcome == "cleared"


def test_a_watched_agent_starts_at_once(open_table, driver):
    table = open_table("A . B . L", agent="planner")
    assert table.table.pilot.on
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))


def test_a_move_by_the_player_stops_the_agent(open_table, driver):
    table = open_table(preset="walker", agent="random")
    driver.until(lambda: table.session.steps >= 1)
    driver.press("u")
    assert not table.table.pilot.on
    driver.press("space", "up")
    assert not table.table.pilot.on
    driver.press("space")
    driver.click(center_of(table, 0, 0))
    assert not table.table.pilot.on


def test_plus_and_minus_change_the_speed_of_the_agent(open_table, driver):
    table = open_table()
    driver.press("+")
    assert table.table.pilot.speed == 2.0
    driver.press("-", "-", "-", "-", "-", "-")
    assert table.table.pilot.speed == 0.25
    driver.press("tab")
    assert table.table.pilot.speed == 1.0, "every run of an agent starts at the normal speed"
    assert table.app.settings.speed == 1.0, "the speed is not saved"


def test_a_failing_agent_is_reported(open_table, driver, tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, obs, info):\n        raise KeyError('lost')\n")
    table = open_table(agent=f"{tmp_path / 'bad.py'}:Bad")
    driver.until(lambda: not table.table.pilot.on)
    assert "lost" in table.table.message.text and table.session.steps == 0
    driver.press("down")
    assert table.session.steps == 1, "the player can continue"


def test_a_missing_agent_is_reported(open_table, driver):
    table = open_table(agent="nobody", watch=False)
    driver.press("space")
    assert not table.table.pilot.on and driver.app.running


# --- overlays


def test_each_overlay_marks_its_cells_and_is_saved_in_the_settings(open_table, driver):
    table = open_table("A . . . . .\n. B B . . .\n. B B . B .\n. . . . . L", "walker")
    driver.press("down", "right")  # a box moves, so the square dissolves
    driver.press("r")
    driver.press("1")  # off; it is on by default
    assert driver.app.settings.overlays == "-"
    for key, cells in (("1", [(1, 1), (2, 2)]), ("3", [(0, 1), (3, 0)])):
        clean = driver.pixels()
        driver.press(key)
        changed = changed_pixels(clean, driver.pixels())
        for cell in cells:
            rect = table.view.rect_of(cell)
            assert changed[rect.top : rect.bottom, rect.left : rect.right].any(), f"{key} {cell}"
        assert matches_full_redraw(driver, table) and driver.app.settings.overlays == key
        driver.press(key)
        assert (
            driver.pixels(table.view.area)
            == clean[table.view.area.top : table.view.area.bottom, table.view.area.left : table.view.area.right]
        ).all()


def test_boxes_that_moved_in_the_last_step_are_marked(open_table, driver):
    table = open_table("A B . . L", "walker")
    driver.press("2")
    clean = driver.pixels()
    driver.press("right")
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, driver.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    marks = GAME.ui.overlays.marks("2", table.session.env, table.session.state, None)
    assert [mark.cell for mark in marks] == [(0, 2)] and matches_full_redraw(driver, table)


def test_the_plan_overlay_is_updated_after_each_move(open_table, driver):
    table = open_table("A . B . . L", agent="planner", watch=False)
    clean = driver.pixels()
    driver.press("4")
    driver.until(lambda: table.table.hints.plan and table.table.hints.plan.actions and not table.table.hints.thinking)
    driver.frame()
    plan = table.table.hints.plan
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, driver.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    table.table.play(Act(plan.actions[0]))
    driver.frame()
    assert table.table.hints.plan.actions == plan.actions[1:], "the move followed the plan: the rest is kept"
    assert not table.table.hints.thinking
    driver.press("left")  # the move deviates from the plan, so a new plan is computed
    driver.until(lambda: table.table.hints.plan and table.table.hints.plan.actions)
    driver.frame()
    assert matches_full_redraw(driver, table)
    driver.press("u")
    assert table.table.hints.plan.actions == plan.actions[1:], "returning to a position restores its plan"


def test_the_panel_reports_how_many_steps_of_a_long_plan_are_shown(open_table, driver):
    for steps, text in ((16, "16 moves to go, 12 of 16 shown"), (12, "12 moves to go")):
        table = open_table("A . B . . L", "walker")
        table.table.hints.keep(Plan("solved", [(0, 0, 3)] * steps))
        driver.press("4")
        assert f"Plan ahead: {text}\n" in panel_text(table) + "\n"


# --- animation


def test_a_move_is_shown_in_the_same_frame(open_table, driver):
    for animation in (False, True):
        table = open_table(preset="walker", animation=animation)
        before = driver.pixels()
        driver.press("right")
        changed = changed_pixels(before, driver.pixels())
        rect = table.view.rect_of((1, 1))
        assert changed[rect.top : rect.bottom, rect.left : rect.right].any(), f"animation {animation}"
        assert table.view.moving == animation
        driver.settle()
        assert not table.view.moving and matches_full_redraw(driver, table)


def test_the_final_picture_is_the_same_with_and_without_animation(open_table, driver):
    pictures = []
    for animation in (False, True):
        open_table(preset="walker", animation=animation)
        driver.press("right", "right", "down", "left")
        driver.settle()
        pictures.append(driver.pixels())
    assert (pictures[0] == pictures[1]).all()


def test_no_input_is_lost_during_an_animation(open_table, driver):
    table = open_table(". . . . . .\nA . . . . .\n. . . . . B\nL . . . . .", "walker", animation=True)
    for key in ["right", "down", "right", "up", "right", "down", "left"]:
        driver.key(key)
    driver.frame()  # all keys are handled in one frame
    assert table.session.steps == 7
    for key in ["up", "right", "up"]:
        driver.press(key)  # one key per frame, much faster than the animation
    assert table.session.steps == 10
    driver.settle()
    assert matches_full_redraw(driver, table)


def test_the_m_key_toggles_the_animation(open_table, driver):
    table = open_table(animation=True)
    driver.press("right", "m")
    assert not table.view.moving and not driver.app.animation and not driver.app.settings.animation
    driver.press("m")
    assert driver.app.animation


# --- help, saving and leaving


def test_help_lists_every_key(open_table, driver):
    table = open_table()
    driver.press("f1")
    page = driver.app.screen
    assert isinstance(page, HelpScreen)
    listed = {key for _, keys in page.sections for line in keys for key in line.keys}
    wanted = set(table.table.keys) | {key for line in GAME.ui.controls.keys for key in line.keys} | {"f11", "f12"}
    assert wanted <= listed, wanted - listed
    assert all(key_name(key) for key in listed)
    driver.press("escape")
    assert driver.app.screen is table


def test_every_key_in_the_help_has_an_effect(open_table):
    table = open_table()
    several = {"players", "scroll up", "scroll down"}  # commands of other games and of the terminal
    keys = {key for command in COMMANDS if command.name not in {*several, "redraw", "continue"} for key in command.keys}
    assert keys <= set(table.table.keys)


@pytest.mark.parametrize("key", ["k", "f2"])
def test_a_saved_replay_reproduces_the_game(open_table, driver, tmp_path, key):
    open_table(preset="walker")
    driver.press("right", "down", "u", key)
    (path,) = (tmp_path / "home" / "replays").glob("*.replay")
    replay = Replay.read(path)
    replay.check()
    assert len(replay.moves) == 1, "undone moves are not in the replay"


def test_escape_during_an_unfinished_game_asks_for_confirmation(open_table, driver, tmp_path):
    table = open_table()
    driver.press("down", "escape")
    assert isinstance(driver.app.screen, Ask)
    driver.press("escape")
    assert driver.app.screen is table
    driver.press("escape", "return")
    assert driver.app.screen is table, "Enter keeps the game"
    driver.press("escape", "s")
    assert isinstance(driver.app.screen, MenuScreen) and list((tmp_path / "home" / "replays").glob("*.replay"))


def test_escape_immediately_leaves_a_game_without_moves(open_table, driver):
    open_table()
    driver.press("escape")
    assert isinstance(driver.app.screen, MenuScreen)


def test_a_game_that_was_ended_with_q_can_be_continued_from_the_menu_or_by_opening_its_level(open_table, driver):
    table = open_table()
    driver.press("right")
    state = table.session.env.state_hash()
    driver.press("q")
    assert not driver.app.running

    menu = driver.open(lambda app: MenuScreen(app), settings=Settings())
    assert "Continue" in [button.text for button in menu.buttons]
    assert menu.status.text == f"Press T to continue {table.session.board.title} (1 move so far)."
    driver.press("t")
    again = driver.until(lambda: isinstance(driver.app.screen, TableScreen) and driver.app.screen)
    assert again.session.moves == 1 and again.session.env.state_hash() == state
    driver.press("u", "escape")
    assert isinstance(driver.app.screen, MenuScreen)

    at_table = driver.open(lambda app: TableScreen(app, game(YARD), watch=False), settings=Settings())
    assert ("t", "continue") in next(block for block in at_table.display.panel.blocks if isinstance(block, Keys)).keys
    driver.press("t")
    assert at_table.session.moves == 1


def test_a_game_is_kept_if_the_program_crashes(open_table, driver, monkeypatch):
    table = open_table()
    driver.press("right")
    monkeypatch.setattr(table, "update", lambda seconds: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        driver.frame()
    assert unfinished.latest(GAME) is not None


def test_pressing_q_quits_the_program(open_table, driver):
    open_table()
    driver.press("down", "q")
    assert not driver.app.running


def test_escape_returns_to_the_screen_below(open_table, driver):
    below = open_table()
    table = TableScreen(driver.app, game(ROW))
    driver.app.push(table)
    driver.frame()
    driver.press("right", "escape")
    assert driver.app.screen is below


def test_pressing_v_opens_the_game_as_a_replay(open_table, driver):
    table = open_table(preset="walker")
    driver.press("right", "right", "v")
    viewer = driver.app.screen
    assert viewer is not table and viewer.cursor.last == 2
    driver.press("escape")
    assert driver.app.screen is table and table.session.steps == 2


def test_pressing_e_opens_the_map_in_the_editor(open_table, driver):
    table = open_table(preset="walker")
    driver.press("right", "e")
    editor = driver.app.screen
    assert editor is not table and editor.edit.preset == "walker"
    assert (editor.edit.draft.rows, editor.edit.draft.cols) == (4, 5)
    driver.press("escape")
    assert driver.app.screen is table and table.session.steps == 1


# --- the end screen


def test_the_end_screen_shows_the_result_and_the_record_is_saved(open_table, driver):
    driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    table = driver.app.screen
    driver.click(center_of(table, 0, 2))
    driver.press("right", "right", "right")
    assert table.session.outcome == "cleared"
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    ending = driver.app.screen
    results = {line.label: line.value for line in ending.lines}
    assert results["Steps"] == "3" and "Stamina" in results and "record" in results["Your best"]
    assert results["Best possible"].startswith("3 steps") and "(proved)" in results["Best possible"]
    assert results["Best possible"].endswith("Perfect: you matched it!")
    assert Records.load()[0].best(table.session.identity).numbers[0] == 3
    driver.press("r")
    assert driver.app.screen is table and table.session.steps == 0
    driver.click(center_of(table, 0, 2))
    driver.press("right", "right", "right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    assert any(line.label == "Your best" and line.value.startswith("3 steps") for line in driver.app.screen.lines)


@pytest.mark.parametrize("size", [(800, 600), (1024, 700), (1280, 800), (500, 900)])
def test_the_end_screen_does_not_cover_the_board(driver, size):
    table = driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])), size=size)
    driver.click(center_of(table, 0, 2))
    driver.press("right", "right", "right")
    ending = driver.until(lambda: isinstance(driver.app.screen, EndingScreen) and driver.app.screen)
    driver.frame()
    assert not ending.rect.colliderect(table.view.area) and not ending.rect.colliderect(table.display.line.rect)
    rects = [button.rect for button in ending.form.widgets] + [rect for _, rect in ending.panel.placed()]
    assert all(ending.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    shown = [block for block, _ in ending.panel.placed()]
    assert shown[0].text == ending.lines[0].value, "the outcome comes first"


def test_statistics_in_large_type_come_first_and_unused_lines_are_hidden(open_table, driver):
    table = open_table("A . B . L")

    def shown() -> tuple[list[str], list[str]]:
        blocks = table.display.panel.blocks
        large = [figure.label for block in blocks if isinstance(block, Numbers) for figure in block.figures]
        return large, [block.figure.label for block in blocks if isinstance(block, Line)]

    assert shown() == (["Stamina", "Boxes left"], ["Step"])
    driver.click(center_of(table, 0, 2))
    driver.press("right")
    assert shown() == (["Stamina", "Boxes left"], ["Step", "Last action", "Push right"])


def test_the_description_of_a_lesson_is_at_the_top_of_the_panel(driver):
    table = driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    kinds = [type(block) for block, _ in table.display.panel.placed()]
    assert kinds[:2] == [Heading, Words] and kinds.index(Words) < kinds.index(Numbers)
    assert table.display.panel.blocks[1].text == table.session.board.about


@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
def test_a_perfect_square_adds_buttons_for_the_special_moves(driver, size):
    board = "A . . . . .\n. B B B . .\n. B B B . .\n. B B B . B\n. . . . . ."
    table = driver.open(lambda app: TableScreen(app, game(board, "phase2")), size=size)
    block = next(block for block, _ in table.display.panel.placed() if isinstance(block, Specials))
    assert [(move.key, move.effect) for move in block.moves] == [("b", "barriers, +90 stamina"), ("h", "lava")]
    driver.click(button_position(table, "b"))
    assert (table.session.state.grid()[0] == 100).sum() == 9
    assert not any(isinstance(block, Specials) for block in table.display.panel.blocks), "the square is used up"
    driver.press("u")
    driver.click(button_position(table, "h"))
    assert (table.session.state.grid()[0] == -100).sum() == 1


@pytest.fixture
def ended(open_table, driver):
    table = open_table("A B L", "walker")
    driver.press("right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    driver.frame()
    return table


def test_undo_works_after_the_end_of_the_game(ended, driver):
    driver.press("u")
    assert driver.app.screen is ended and ended.session.outcome is None and matches_full_redraw(driver, ended)
    driver.press("right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))


def test_game_keys_do_nothing_after_the_end_of_the_game(ended, driver):
    driver.press("left", "space", "p", "b")
    assert isinstance(driver.app.screen, EndingScreen) and ended.session.steps == 1


@pytest.mark.parametrize("key", ["return", "r", "tab", "n"])
def test_keys_on_the_end_screen_start_another_game(ended, driver, key):
    driver.press(key)
    assert driver.app.screen is ended and ended.session.outcome is None and ended.session.steps == 0
    assert matches_full_redraw(driver, ended)


def test_enter_after_a_win_opens_the_next_lesson(driver):
    table = driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    driver.click(center_of(table, 0, 2))
    driver.press("right", "right", "right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    buttons = driver.app.screen.form.widgets
    assert [(button.text, button.strong) for button in buttons[:3]] == [
        ("Next", True), ("Again", False), ("Maps", False),
    ]  # fmt: skip
    assert all(theme.width_of(button.text) <= button.rect.width - 16 for button in buttons), (
        "the labels fit into the buttons"
    )
    driver.press("return")
    assert table.session.board.name == GAME.levels.boards()[1].name and driver.app.screen is table


def test_a_game_with_free_moves_does_not_set_a_record(open_table, driver):
    open_table("A . B L", "walker")
    driver.click(center_of(driver.app.screen, 0, 1))
    driver.press("right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    results = {line.label: line.value for line in driver.app.screen.lines}
    assert results["Help from"] == "free moves (no record)" and "Your best" not in results


def test_messages_after_the_end_of_the_game_are_visible(ended, driver):
    before = driver.pixels(ended.display.line.rect)
    driver.press("p")
    assert changed_pixels(before, driver.pixels(ended.display.line.rect)).any() and matches_full_redraw(driver, ended)
    driver.press("3")
    assert isinstance(driver.app.screen, EndingScreen) and matches_full_redraw(driver, ended)


def test_returning_to_a_finished_game_shows_its_end_screen(driver):
    driver.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    table, first = driver.app.screen, driver.app.screen.session
    driver.click(center_of(table, 0, 2))
    driver.press("right", "right", "right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    driver.app.pop()
    table.table.open_board(board_from_text("A B L", "walker"), "walker")
    driver.press("right")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    driver.press("tab", shift=True)  # back to the map with the finished game
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen) and driver.app.screen.state is first.state)
    assert table.session is first and len(driver.app.screens) == 2
    assert {line.label: line.value for line in driver.app.screen.lines}["Steps"] == "3"
    assert matches_full_redraw(driver, table)


def test_the_buttons_on_the_end_screen_work(ended, driver, tmp_path):
    buttons = {button.text: button for button in driver.app.screen.form.widgets}
    driver.click(buttons["Save"].rect.center)
    assert list((tmp_path / "home" / "replays").glob("*.replay"))
    driver.click(buttons["Undo"].rect.center)
    assert driver.app.screen is ended and ended.session.outcome is None


def test_escape_on_the_end_screen_returns_to_the_menu(ended, driver):
    driver.press("escape")
    assert isinstance(driver.app.screen, MenuScreen)


def test_a_lost_game_shows_its_end_screen(open_table, driver):
    table = open_table("A . . B L", "walker")
    table.session.state.game["stamina"][0] = 2
    table.session.env.set_state(table.session.state)
    driver.press("down", "down")
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))
    assert "Exhausted" in driver.app.screen.lines[0].value


def test_the_end_screen_appears_after_the_last_animation(open_table, driver):
    table = open_table("A B L", "walker", animation=True)
    driver.press("right")
    assert table.session.outcome and driver.app.screen is table and table.view.moving
    driver.until(lambda: isinstance(driver.app.screen, EndingScreen))


# --- window sizes and random input


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 760), (1600, 900), (500, 900), (1200, 300)])
def test_no_part_of_the_screen_overflows_or_overlaps_another_at_any_window_size(open_table, driver, size):
    table = open_table(size=size)
    driver.press("3", "right", "right")
    whole, sight = Rect(0, 0, *size), table.display
    places = [table.view.area, sight.panel.rect, sight.line.rect]
    assert all(whole.contains(rect) for rect in places)
    assert all(rect.collidelist(places[n + 1 :]) < 0 for n, rect in enumerate(places))
    assert table.view.area.contains(table.view.board)
    rects = [rect for _, rect in sight.panel.placed()]
    assert rects and all(sight.panel.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert matches_full_redraw(driver, table)


def test_the_window_can_be_resized_at_any_time(open_table, driver):
    table = open_table(preset="walker", animation=True, agent="greedy", watch=False)
    driver.press("1", "2", "3")
    for size in ((500, 700), (1000, 400), (320, 240), (900, 640)):
        driver.press("right")  # the animation is still running when the size changes
        driver.resize(size)
        assert table.view.area.contains(table.view.board) and matches_full_redraw(driver, table)
    driver.press("f1")
    driver.resize((640, 480))
    driver.press("escape")
    assert matches_full_redraw(driver, table)


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_random_input_leaves_the_screen_in_a_consistent_state(open_table, driver, preset):
    """Random keys, clicks, drags and resizes cause no error, and the screen shows the current state."""
    rng = random.Random(preset)
    table = open_table("A . B . L\n. B B . .\n. B B . .\n. . . . #", preset, animation=True)
    keys = ["up", "down", "left", "right", "x", "b", "h", ".", "u", "y", "r", "m", "1", "2", "3", "+", "-", "n", "tab", "f1", "escape", "return", "f2", "j"]  # fmt: skip
    for _ in range(220):
        size = driver.app.surface.get_size()
        act = rng.randrange(10)
        point = rng.randrange(size[0]), rng.randrange(size[1])
        if act < 5:
            driver.key(rng.choice(keys), shift=rng.random() < 0.1)
        elif act < 7:
            driver.point(point, False)
        elif act == 7:
            driver.hold(point, frame=False)
        elif act == 8:
            driver.release(point, frame=False)
        elif rng.random() < 0.3:
            driver.resize((rng.randrange(320, 1000), rng.randrange(240, 800)))
        if rng.random() < 0.7:
            driver.frame(rng.choice([0.0, 1 / 30, 0.3]))
        if not isinstance(driver.app.screens[0], TableScreen):  # the random input has returned to the menu
            table = TableScreen(driver.app, game(YARD, preset))
            driver.app.go(table)
    while not isinstance(driver.app.screen, TableScreen):
        driver.app.pop()
    driver.app.say("")
    driver.settle()
    table = driver.app.screen
    assert matches_full_redraw(driver, table)
    assert np.array_equal(table.session.env.get_state().board, table.session.state.board)


def test_a_64_by_64_map_can_be_played(open_table, driver):
    rng = np.random.default_rng(5)
    grid = rng.choice(list("...BL#"), (64, 64))
    grid[0, 0] = "A"
    table = open_table("\n".join(" ".join(row) for row in grid), "walker", size=(1100, 760))
    assert table.view.cell_size == 11
    driver.press("1", "2", "3", "right", "down", "right")
    assert table.session.steps == 3 and matches_full_redraw(driver, table)
    assert sum(rect.width * rect.height for rect in driver.press("left")) < 1100 * 760


def test_the_active_overlays_are_saved_in_the_settings(driver):
    driver.open(lambda app: TableScreen(app, game(ROW)), settings=Settings(overlays="13x"))
    assert driver.app.screen.table.overlays == {"1", "3"}


def test_saving_a_replay_shows_its_path(open_table, driver, tmp_path):
    open_table()
    driver.press("k")
    assert str(Path(tmp_path / "home" / "replays")) in driver.app.note
    assert pygame.display.get_init()

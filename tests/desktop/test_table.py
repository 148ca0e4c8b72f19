"""A game played in the window, by keys and by the mouse, with all the helpers."""

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
from shoverworld.desktop.help import HelpScreen
from shoverworld.desktop.menu import MenuScreen
from shoverworld.desktop.panel import Keys, Line, Switches, Words
from shoverworld.desktop.table import TableScreen
from shoverworld.play.commands import COMMANDS, key_name
from shoverworld.play.planning import BackgroundPlanner
from shoverworld.play.records import Records
from shoverworld.play.session import Session
from shoverworld.play.settings import Settings
from tests.windows import GAME, Hands, changed_pixels, drawn, game, hands

__all__ = ["hands"]

ROW = "A . B . L"
YARD = """
. . . . .
. A B . .
. . . B .
L . . . #
"""


@pytest.fixture
def sit(hands):
    """Opens a table with a drawn board."""

    def at(text: str = YARD, preset: str = "milestone1", **options) -> TableScreen:
        agent = options.pop("agent", None)
        watch = options.pop("watch", None)
        return hands.open(lambda app: TableScreen(app, game(text, preset), agent, watch), **options)

    return at


def board_of(table: TableScreen) -> str:
    """The map as it lies, without spaces."""
    return "\n".join(
        line.replace(" ", "") for line in table.session.env.map_text().splitlines() if not line.startswith("//")
    )


def shover_at(table: TableScreen) -> tuple[int, int]:
    return tuple(int(x) for x in GAME.ui.drawing.scene(table.session.state).actors[0].end)


def as_fresh(hands: Hands, table: TableScreen) -> bool:
    """Is what is on the screen what would be drawn if all of it were drawn anew?"""
    seen = hands.pixels()
    hands.app.refresh()
    hands.frame(0.0)
    return bool((seen == hands.pixels()).all())


def middle(table: TableScreen, row: int, col: int) -> tuple[int, int]:
    return table.view.rect_of((row, col)).center


def panel_text(table: TableScreen) -> str:
    """All that the panel says, whether it has room for it or not."""
    said = []
    for block in table.display.panel.blocks:
        if isinstance(block, Line):
            said.append(f"{block.figure.label}: {block.figure.value}")
        elif isinstance(block, Switches):
            said += [f"{switch.key} {switch.name} {switch.on}" for switch in block.switches]
        elif isinstance(block, Words):
            said.append(f"{block.head}: {block.text}")
    return "\n".join(said)


# --- keys of the room


@pytest.mark.parametrize("preset", ["milestone1", "walker"])
@pytest.mark.parametrize(("keys", "place"), [("up w", (0, 1)), ("down s", (2, 1)), ("left a", (1, 0))])
def test_arrows_and_letters_move_the_shover(sit, hands, preset, keys, place):
    for key in keys.split():
        table = sit(preset=preset)
        hands.press(key)
        assert shover_at(table) == place and table.session.steps == 1


@pytest.mark.parametrize("key", ["right", "d"])
def test_a_push(sit, hands, key):
    table = sit(preset="walker")
    hands.press(key)
    assert board_of(table) == ".....\n..AB.\n...B.\nL...#"


def test_barrier_maker_and_hellify(sit, hands):
    table = sit("A . . . .\n. B B . .\n. B B . .\n. . . . B")
    hands.press("b")
    assert board_of(table) == "A....\n.##..\n.##..\n....B"
    table = sit("A . . . . .\n. B B B . .\n. B B B . .\n. B B B . .\n. . . . . B")
    hands.press("h")
    assert board_of(table) == "A.....\n......\n..L...\n......\n.....B"


def test_why_a_move_is_invalid_is_in_the_panel_and_in_the_line_below(sit, hands):
    table = sit("A # B L", "walker")
    hands.press("right")
    assert "barrier" in table.table.message.text
    assert "invalid: a barrier stands at row 0, column 1" in panel_text(table)
    assert table.session.steps == 1


def test_a_key_that_means_nothing_does_nothing(sit, hands):
    table = sit()
    assert hands.press("j", "f5") == [] and table.session.steps == 0
    hands.key("u", control=True)
    hands.frame()
    assert table.session.steps == 0


# --- the mouse


def test_a_click_walks_for_nothing(sit, hands):
    for preset in ("milestone1", "walker"):
        table = sit(preset=preset)
        hands.click(middle(table, 3, 2))
        assert shover_at(table) == (3, 2) and table.session.steps == 0


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_click_selects_a_box_and_a_direction_pushes_it(sit, hands, preset):
    table = sit(preset=preset)
    hands.click(middle(table, 2, 3))
    assert table.session.handler.selected == (2, 3) and table.session.steps == 0
    hands.press("left")
    assert board_of(table).splitlines()[2] == "..BA."
    hands.press("left")
    assert board_of(table).splitlines()[2] == ".BA..", "it stays in hand"


def test_a_click_on_the_box_beside_him_pushes_it(sit, hands):
    table = sit(preset="walker")
    hands.click(middle(table, 1, 2))
    assert board_of(table).splitlines()[1] == "..AB."


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
@pytest.mark.parametrize(("way", "dx", "dy"), [(UP, 0, -1), (RIGHT, 1, 0), (DOWN, 0, 1), (LEFT, -1, 0)])
def test_a_box_is_dragged_the_way_it_should_go(sit, hands, preset, way, dx, dy):
    table = sit(". . . . .\n. . . . .\n. . B . .\n. . . . .\nA . . . B", preset)
    start = middle(table, 2, 2)
    reach = table.view.cell_size
    hands.drag(start, (start[0] + dx * reach, start[1] + dy * reach))
    boxes = GAME.ui.drawing.scene(table.session.state).tiles
    assert boxes[2 + dy, 2 + dx] == 10 and boxes[2, 2] == 0 and table.session.steps == 1


def test_a_walker_drags_the_box_he_stands_behind(sit, hands):
    table = sit(preset="walker")
    start = middle(table, 1, 2)
    hands.drag(start, (start[0] + table.view.cell_size, start[1]))
    assert board_of(table).splitlines()[1] == "..AB."
    start = middle(table, 2, 3)
    hands.drag(start, (start[0] + table.view.cell_size, start[1]))
    assert table.session.steps == 1 and "stand left of it" in table.table.message.text


def test_a_small_mouse_movement_is_a_click(sit, hands):
    table = sit(preset="phase2")
    start = middle(table, 2, 3)
    hands.drag(start, (start[0] + table.view.cell_size // 4, start[1]))
    assert table.session.steps == 0 and table.session.handler.selected == (2, 3)


def test_a_drag_that_comes_back_is_called_off(sit, hands):
    table = sit(preset="phase2")
    start = middle(table, 2, 3)
    hands.hold(start)
    hands.point((start[0] + table.view.cell_size, start[1]))
    hands.let_go((start[0] + 2, start[1]))
    assert table.session.steps == 0


def test_a_press_beside_the_board_is_nothing(sit, hands):
    table = sit()
    hands.drag((2, 2), middle(table, 1, 2))
    hands.click(table.display.panel.rect.center)
    assert table.session.steps == 0 and not table.session.can_undo


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_hover_shows_the_chain_its_cost_and_what_would_happen(sit, hands, preset):
    table = sit("A B B . L", preset)
    before = hands.pixels()
    rect = table.view.rect_of((0, 1))
    hands.point((rect.right - 3, rect.centery))
    assert table.table.message.text.startswith("Push 2 boxes right: 60 stamina")
    chain = table.view.rect_of((0, 1)).union(table.view.rect_of((0, 3)))
    changed = changed_pixels(before, hands.pixels())
    assert changed[chain.top : chain.bottom, chain.left : chain.right].any()
    assert not changed[: chain.top - table.view.cell_size // 4].any(), "nothing above the board"
    assert table.session.steps == 0 and as_fresh(hands, table)
    hands.point((2, 2))
    assert (hands.pixels()[: chain.bottom] == before[: chain.bottom]).all()


def test_hover_is_worked_out_only_when_it_points_elsewhere(sit, hands):
    table = sit("A B B . L")
    asked = []
    hover = table.session.handler.hover
    table.session.handler.hover = lambda *place: asked.append(place[1:]) or hover(*place)
    rect = table.view.rect_of((0, 1))
    for dx in range(1, 8):
        hands.point((rect.right - 2 - dx, rect.centery))
    hands.frames(5)
    assert asked == [((0, 1), RIGHT)]
    hands.point((rect.left + 2, rect.centery))
    assert asked[1:] == [((0, 1), LEFT)]


def test_a_hover_during_a_drag_shows_where_the_box_would_go(sit, hands):
    table = sit(preset="phase2")
    start = middle(table, 2, 3)
    hands.hold(start)
    hands.point((start[0] - table.view.cell_size, start[1]))
    assert "left" in table.table.message.text


def spot(table: TableScreen, cell: tuple[int, int], way: int) -> tuple[int, int]:
    """A point of a cell near one of its sides."""
    rect, far = table.view.rect_of(cell), table.view.cell_size * 2 // 5
    down, right = ((-1, 0), (0, 1), (1, 0), (0, -1))[way]
    return rect.centerx + right * far, rect.centery + down * far


def test_in_the_middle_of_a_box_no_way_is_meant_yet(sit, hands):
    table = sit("A . B . L\n. . . . .")
    hands.point(middle(table, 0, 2))
    assert table.table.message.text.startswith("Box at row 0, column 2: it can be pushed right 50, down 50, left 50")
    assert [mark.text for mark in table.table.preview.marks] == [""]
    hands.point(spot(table, (0, 2), LEFT))
    assert table.table.message.text.startswith("Push 1 box left: 50 stamina")
    assert as_fresh(hands, table)


def test_the_selection_is_visible_under_the_pointer(sit, hands):
    table = sit("A . B . L\n. . . . .")
    hands.click(middle(table, 0, 2))
    assert "Choose a direction with the arrows or WASD: right 50, down 50, left 50." in table.table.message.text
    (selected,) = table.session.handler.marks(table.session.state)
    rect = table.view.rect_of((0, 2))
    for way in (UP, RIGHT, DOWN, LEFT):
        hands.point(spot(table, (0, 2), way))
        line = [tuple(pixel) for pixel in hands.pixels(Rect(rect.left, rect.bottom - 9, rect.width, 1))[0]]
        assert selected.colour in line, "its frame lies over that of the hover"
    assert as_fresh(hands, table)


@pytest.mark.parametrize("by", ["key", "drag", "click"])
def test_after_a_push_the_pointer_is_quiet_until_it_is_over_another_cell(sit, hands, by):
    table = sit("A . B . . L\n. . . . . .", "phase2")
    hands.click(middle(table, 0, 2))
    if by == "key":
        hands.press("right")
    elif by == "drag":
        hands.drag(middle(table, 0, 2), middle(table, 0, 3))
    else:
        hands.click(middle(table, 0, 3))
    assert table.session.steps == 1 and table.table.message.text == "Pushed 1 box right"
    hands.point((hands.mouse[0] + 2, hands.mouse[1] + 1))
    assert table.table.message.text == "Pushed 1 box right" and not table.table.preview.marks
    hands.point(middle(table, 1, 3))
    assert "Pushed" not in table.table.message.text


def test_a_click_beside_the_selected_box_pushes_it(sit, hands):
    table = sit("A . B . L\n. . . . .")
    hands.click(middle(table, 0, 2))
    hands.point(middle(table, 0, 3))
    assert table.table.message.text.startswith("Click: push 1 box right: 50 stamina")
    hands.click(middle(table, 0, 3))
    assert board_of(table).splitlines()[0] == "..ABL" and table.session.steps == 1
    hands.click(middle(table, 0, 4))
    assert table.session.outcome == "cleared"


# --- the cursor


@pytest.mark.parametrize("preset", ["milestone1", "phase2"])
def test_a_box_is_chosen_and_pushed_without_a_mouse(sit, hands, preset):
    table = sit("A . . .\n. . B .\n. . . .", preset)
    hands.press("x")
    assert table.table.cursor.cell == (0, 0)
    hands.press("up", "right", "d", "s")
    assert table.table.cursor.cell == (1, 2) and table.session.steps == 0
    assert table.table.message.text.startswith("Box at row 1, column 2") and as_fresh(hands, table)
    hands.press("return")
    assert table.table.cursor.cell is None and table.session.handler.selected == (1, 2)
    assert "Choose a direction" in table.table.message.text
    hands.press("right")
    assert board_of(table).splitlines()[1] == "..AB"
    assert table.session.steps == 1 and as_fresh(hands, table)


@pytest.mark.parametrize("key", ["x", "escape"])
def test_the_cursor_goes_and_nothing_has_happened(sit, hands, key):
    table = sit(preset="phase2")
    clean = hands.pixels(table.view.area)
    hands.press("x", "right")
    assert changed_pixels(clean, hands.pixels(table.view.area)).any()
    hands.press(key)
    assert hands.app.screen is table and table.table.cursor.cell is None and table.session.steps == 0
    assert (hands.pixels(table.view.area) == clean).all()


def test_without_a_selection_a_message_explains_how_to_select(sit, hands):
    table = sit("A . . B", "phase2")
    hands.press("right")
    assert table.table.message.text == "Select a box first: click it, or press X for a cursor."


# --- buttons of the panel


def button(table: TableScreen, key: str) -> tuple[int, int]:
    """Where the panel has the button of a key."""
    for block, rect in table.display.panel.placed():
        if isinstance(block, Keys):
            for (name, _), place in zip(block.keys, block.places(rect.width), strict=True):
                if name == key:
                    return place.move(rect.topleft).center
        elif isinstance(block, Switches):
            for place, switch in enumerate(block.switches):
                if switch.key == key:
                    return rect.centerx, rect.top + round((place + 0.4) * (rect.height - 8) / len(block.switches))
    raise AssertionError(f"no button for {key}")


def test_the_main_keys_are_buttons(sit, hands):
    table = sit(preset="walker")
    hands.press("down", "right")
    hands.click(button(table, "u"))
    assert table.session.steps == 1
    hands.click(button(table, "r"))
    assert table.session.steps == 0
    hands.click(button(table, "3"))
    assert table.table.overlays == {"3"}
    hands.click(button(table, "n"))
    assert table.session.board.seed is not None
    hands.click(button(table, "f1"))
    assert isinstance(hands.app.screen, HelpScreen)


def test_a_button_released_elsewhere_is_not_pressed(sit, hands):
    table = sit(preset="walker")
    hands.press("down")
    hands.hold(button(table, "u"))
    hands.let_go(button(table, "r"))
    assert table.session.steps == 1


@pytest.mark.parametrize("size", [(900, 640), (1100, 760), (640, 480), (500, 900)])
def test_no_button_of_the_panel_lies_over_another(sit, hands, size):
    table = sit(size=size)
    for block, rect in table.display.panel.placed():
        if isinstance(block, Keys):
            places = [place.move(rect.topleft) for place in block.places(rect.width)]
            assert all(rect.contains(place) for place in places)
            assert all(place.collidelist(places[n + 1 :]) < 0 for n, place in enumerate(places))
            assert [table.display.panel.key_at(place.center) for place in places] == [key for key, _ in block.keys]
            break
    else:
        raise AssertionError("there is no room for them")


# --- taking back


def test_undo_and_redo(sit, hands):
    table = sit(preset="walker")
    start = board_of(table)
    hands.press("right", "right")
    after = board_of(table)
    hands.press("u", "u")
    assert board_of(table) == start and table.session.steps == 0
    hands.press("u")
    assert "no move to take back" in table.table.message.text
    hands.press("y")
    hands.press("u", shift=True)
    assert board_of(table) == after
    hands.press("y")
    assert "no move to repeat" in table.table.message.text and as_fresh(hands, table)


def test_reset_begins_again_and_can_be_taken_back(sit, hands):
    table = sit(preset="walker")
    start = board_of(table)
    hands.press("right", "down", "r")
    assert board_of(table) == start and table.session.steps == 0
    hands.press("y", "y")
    assert table.session.steps == 2


# --- maps


def test_tab_opens_the_next_map_and_keeps_unfinished_games(sit, hands):
    names = [board.name for board in GAME.levels.boards()]
    table = hands.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    hands.press("right")
    hands.press("tab")
    assert table.session.board.name == names[1] and table.session.steps == 0
    hands.press("tab", shift=True)
    assert table.session.board.name == names[0] and table.session.steps == 1
    hands.press("tab", shift=True)
    assert table.session.board.name == names[-1] and table.session.preset == GAME.levels.boards()[-1].preset
    assert as_fresh(hands, table)


def test_after_a_random_map_tab_goes_on_with_the_lessons(hands):
    names = [board.name for board in GAME.levels.boards()]
    table = hands.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[3])))
    hands.press("n", "n", "tab")
    assert table.session.board.name == names[4]
    hands.press("n")
    hands.press("tab", shift=True)
    assert table.session.board.name == names[4], "the one before is where he came from"


def test_rules_other_than_the_maps_own_are_named(hands):
    session = Session(GAME, GAME.levels.boards()[0], "walker")
    table = hands.open(lambda app: TableScreen(app, session))
    assert table.display.panel.blocks[0].below == "Lessons, 1 of 16 · walker (made for milestone1)"


def test_rules_that_were_chosen_hold_for_every_map(hands):
    session = Session(GAME, GAME.levels.boards()[0], "walker")
    table = hands.open(lambda app: TableScreen(app, session, rules="walker"))
    hands.press("tab", "tab", "tab", "tab")
    assert table.session.board.preset == "phase2" and table.session.preset == "walker"


def test_n_makes_new_random_maps(sit, hands):
    table = sit(preset="walker")
    hands.press("n")
    first = table.session.board
    hands.press("n")
    assert first.seed is not None and table.session.board.seed == first.seed + 1
    assert table.session.preset == "walker" and as_fresh(hands, table)


# --- hints


def test_a_hint_is_shown_and_is_the_planners_move(sit, hands):
    table = sit("A . B . L")
    clean = hands.pixels()
    hands.press("p")
    assert "Hint:" in panel_text(table), "it says that it thinks"
    hands.until(lambda: table.table.hints.plan and table.table.hints.plan.actions and not table.table.hints.thinking)
    hands.frame()
    assert "row 0, column 2 to the right" in panel_text(table)
    assert table.session.helpers == ["hint"]
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, hands.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    steps = table.table.hints.plan.steps
    table.table.play(Act(table.table.hints.plan.actions[0]))
    hands.frame()
    assert "Hint:" not in panel_text(table), "after the move it is gone"
    hands.press("p")
    assert table.table.hints.plan.steps == steps - 1 and not table.table.hints.thinking, (
        "what is left of the plan is known"
    )
    assert as_fresh(hands, table)


class Slow(BackgroundPlanner):
    """Thinks and thinks."""

    asked, stage, busy = None, "thinking", True

    def ask(self, game, env, state, seconds):
        self.asked = state

    @property
    def state(self):
        return self.asked


def test_a_hint_tells_how_long_was_thought(sit, hands):
    table = sit()
    table.table.hints.planner = Slow()
    hands.press("p")
    for _ in range(3):
        hands.frame(1.0)
    assert "Hint: Thinking … 3 s" in panel_text(table)
    table.table.hints.keep(Plan("solved", [(2, 3, 4), (2, 2, 4)]))
    hands.frame(1.0)
    assert panel_text(table).count("; still thinking … 4 s") == 1


def test_a_hint_asked_for_again_thinks_longer(sit, hands):
    table = sit("A . B . . . L\n. B . . . B .\n. . B B . . .\nL . . . . . L")
    asked = []
    table.table.hints.planner.ask = lambda game, env, state, seconds: asked.append(seconds)  # and never answers
    hands.press("p", "p", "p")
    assert asked == [2.0, 8.0, 32.0]
    hands.press("down", "p")
    assert asked[3:] == [2.0], "another game"


def test_an_unsolvable_game_is_reported(sit, hands):
    table = sit("A . B #\n. . . .")
    hands.press("p")
    hands.until(lambda: table.table.hints.plan is not None and not table.table.hints.thinking)
    hands.frame()
    text = panel_text(table)
    assert "has no solution" in text or "No solution was found" in text


def test_the_window_goes_on_while_the_planner_thinks(sit, hands):
    table = sit(preset="walker")
    hands.press("p")
    hands.press("down")  # heard, whatever the planner does
    assert shover_at(table) == (2, 1) and table.session.steps == 1
    hands.until(lambda: not table.table.hints.thinking)


# --- agents


def test_the_agent_plays_and_is_stopped(sit, hands):
    table = sit("A . B . . . L\n. . B . . . L", agent="greedy", watch=False)
    hands.press("space")
    assert "greedy" in panel_text(table)
    hands.until(lambda: table.session.steps >= 2)
    hands.press("space")
    steps = table.session.steps
    hands.frames(60)
    assert table.session.steps == steps and table.session.helpers == ["greedy"]
    hands.press("space")
    hands.until(lambda: table.session.outcome)
    assert table.session.outcome == "cleared"


def test_a_watched_agent_starts_at_once(sit, hands):
    table = sit("A . B . L", agent="planner")
    assert table.table.pilot.on
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))


def test_a_move_of_the_person_stops_the_agent(sit, hands):
    table = sit(preset="walker", agent="random")
    hands.until(lambda: table.session.steps >= 1)
    hands.press("u")
    assert not table.table.pilot.on
    hands.press("space", "up")
    assert not table.table.pilot.on
    hands.press("space")
    hands.click(middle(table, 0, 0))
    assert not table.table.pilot.on


def test_speed(sit, hands):
    table = sit()
    hands.press("+")
    assert table.app.settings.speed == 2.0
    hands.press("-", "-", "-", "-", "-", "-")
    assert table.app.settings.speed == 0.25


def test_a_failing_agent_is_reported(sit, hands, tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, obs, info):\n        raise KeyError('lost')\n")
    table = sit(agent=f"{tmp_path / 'bad.py'}:Bad")
    hands.until(lambda: not table.table.pilot.on)
    assert "lost" in table.table.message.text and table.session.steps == 0
    hands.press("down")
    assert table.session.steps == 1, "the player goes on"


def test_a_missing_agent_is_reported(sit, hands):
    table = sit(agent="nobody", watch=False)
    hands.press("space")
    assert not table.table.pilot.on and hands.app.running


# --- overlays


def test_each_overlay_marks_its_cells_and_is_remembered(sit, hands):
    table = sit("A . . . . .\n. B B . . .\n. B B . B .\n. . . . . L", "walker")
    hands.press("down", "right")  # the square dissolves as one: boxes move
    hands.press("r")
    for key, cells in (("1", [(1, 1), (2, 2)]), ("3", [(0, 1), (3, 0)])):
        clean = hands.pixels()
        hands.press(key)
        changed = changed_pixels(clean, hands.pixels())
        for cell in cells:
            rect = table.view.rect_of(cell)
            assert changed[rect.top : rect.bottom, rect.left : rect.right].any(), f"{key} {cell}"
        assert as_fresh(hands, table) and hands.app.settings.overlays == key
        hands.press(key)
        assert (
            hands.pixels(table.view.area)
            == clean[table.view.area.top : table.view.area.bottom, table.view.area.left : table.view.area.right]
        ).all()


def test_moving_boxes_are_marked_the_step_after(sit, hands):
    table = sit("A B . . L", "walker")
    hands.press("2")
    clean = hands.pixels()
    hands.press("right")
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, hands.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    marks = GAME.ui.overlays.marks("2", table.session.env, table.session.state, None)
    assert [mark.cell for mark in marks] == [(0, 2)] and as_fresh(hands, table)


def test_the_plan_ahead_follows_the_game(sit, hands):
    table = sit("A . B . . L", agent="planner", watch=False)
    clean = hands.pixels()
    hands.press("4")
    hands.until(lambda: table.table.hints.plan and table.table.hints.plan.actions and not table.table.hints.thinking)
    hands.frame()
    plan = table.table.hints.plan
    rect = table.view.rect_of((0, 2))
    assert changed_pixels(clean, hands.pixels())[rect.top : rect.bottom, rect.left : rect.right].any()
    table.table.play(Act(plan.actions[0]))
    hands.frame()
    assert table.table.hints.plan.actions == plan.actions[1:], "it was the plan's own move: its rest is the plan"
    assert not table.table.hints.thinking
    hands.press("left")  # another move: it is thought about anew
    hands.until(lambda: table.table.hints.plan and table.table.hints.plan.actions)
    hands.frame()
    assert as_fresh(hands, table)
    hands.press("u")
    assert table.table.hints.plan.actions == plan.actions[1:], "a game that comes back has its plan back"


def test_a_long_plan_says_how_many_steps_are_shown(sit, hands):
    for steps, told in ((16, "16 moves to go, 12 of 16 shown"), (12, "12 moves to go")):
        table = sit("A . B . . L", "walker")
        table.table.hints.keep(Plan("solved", [(0, 0, 3)] * steps))
        hands.press("4")
        assert f"Plan ahead: {told}\n" in panel_text(table) + "\n"


# --- motion


def test_the_frame_that_hears_a_move_shows_it(sit, hands):
    for animation in (False, True):
        table = sit(preset="walker", animation=animation)
        before = hands.pixels()
        hands.press("right")
        changed = changed_pixels(before, hands.pixels())
        rect = table.view.rect_of((1, 1))
        assert changed[rect.top : rect.bottom, rect.left : rect.right].any(), f"animation {animation}"
        assert table.view.moving == animation
        hands.settle()
        assert not table.view.moving and as_fresh(hands, table)


def test_both_ways_end_in_the_same_picture(sit, hands):
    pictures = []
    for animation in (False, True):
        sit(preset="walker", animation=animation)
        hands.press("right", "right", "down", "left")
        hands.settle()
        pictures.append(hands.pixels())
    assert (pictures[0] == pictures[1]).all()


def test_no_input_is_lost_while_something_moves(sit, hands):
    table = sit(". . . . . .\nA . . . . .\n. . . . . B\nL . . . . .", "walker", animation=True)
    for key in ["right", "down", "right", "up", "right", "down", "left"]:
        hands.key(key)
    hands.frame()  # all of them in one frame
    assert table.session.steps == 7
    for key in ["up", "right", "up"]:
        hands.press(key)  # one a frame, much faster than they move
    assert table.session.steps == 10
    hands.settle()
    assert as_fresh(hands, table)


def test_m_switches_animation(sit, hands):
    table = sit(animation=True)
    hands.press("right", "m")
    assert not table.view.moving and not hands.app.animation and not hands.app.settings.animation
    hands.press("m")
    assert hands.app.animation


# --- ways out


def test_help_lists_every_key(sit, hands):
    table = sit()
    hands.press("f1")
    page = hands.app.screen
    assert isinstance(page, HelpScreen)
    listed = {key for _, keys in page.sections for line in keys for key in line.keys}
    wanted = set(table.table.keys) | {key for line in GAME.ui.controls.keys for key in line.keys} | {"f11", "f12"}
    assert wanted <= listed, wanted - listed
    assert all(key_name(key) for key in listed)
    hands.press("escape")
    assert hands.app.screen is table


def test_the_keys_of_the_help_do_something(sit):
    table = sit()
    several = {"players", "scroll up", "scroll down"}  # commands of other games, and of the terminal
    keys = {key for command in COMMANDS if command.name not in {*several, "redraw"} for key in command.keys}
    assert keys <= set(table.table.keys)


@pytest.mark.parametrize("key", ["k", "f2"])
def test_a_replay_is_saved_and_true(sit, hands, tmp_path, key):
    sit(preset="walker")
    hands.press("right", "down", "u", key)
    (path,) = (tmp_path / "home" / "replays").glob("*.replay")
    replay = Replay.read(path)
    replay.check()
    assert len(replay.moves) == 1, "what was taken back is not in it"


def test_escape_asks_while_a_game_is_on(sit, hands, tmp_path):
    table = sit()
    hands.press("down", "escape")
    assert isinstance(hands.app.screen, Ask)
    hands.press("escape")
    assert hands.app.screen is table
    hands.press("escape", "return")
    assert hands.app.screen is table, "Enter loses nothing"
    hands.press("escape", "s")
    assert isinstance(hands.app.screen, MenuScreen) and list((tmp_path / "home" / "replays").glob("*.replay"))


def test_escape_leaves_a_game_that_has_not_begun(sit, hands):
    sit()
    hands.press("escape")
    assert isinstance(hands.app.screen, MenuScreen)


def test_q_quits(sit, hands):
    sit()
    hands.press("down", "q")
    assert not hands.app.running


def test_over_another_screen_escape_leads_back_to_it(sit, hands):
    below = sit()
    table = TableScreen(hands.app, game(ROW))
    hands.app.push(table)
    hands.frame()
    hands.press("right", "escape")
    assert hands.app.screen is below


def test_the_game_is_watched_as_a_replay(sit, hands):
    table = sit(preset="walker")
    hands.press("right", "right", "v")
    viewer = hands.app.screen
    assert viewer is not table and viewer.cursor.last == 2
    hands.press("escape")
    assert hands.app.screen is table and table.session.steps == 2


def test_the_map_is_edited(sit, hands):
    table = sit(preset="walker")
    hands.press("right", "e")
    editor = hands.app.screen
    assert editor is not table and editor.edit.preset == "walker"
    assert (editor.edit.draft.rows, editor.edit.draft.cols) == (4, 5)
    hands.press("escape")
    assert hands.app.screen is table and table.session.steps == 1


# --- the end


def test_the_ending_tells_and_records(sit, hands):
    hands.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    table = hands.app.screen
    hands.click(middle(table, 0, 2))
    hands.press("right", "right", "right")
    assert table.session.outcome == "cleared"
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    ending = hands.app.screen
    told = {line.label: line.value for line in ending.lines}
    assert told["Steps"] == "3" and "Stamina" in told and "record" in told["Your best"]
    assert told["Best possible"].startswith("3 steps") and told["Best possible"].endswith("(proved)")
    assert Records.load()[0].best(table.session.identity).numbers[0] == 3
    hands.press("r")
    assert hands.app.screen is table and table.session.steps == 0
    hands.click(middle(table, 0, 2))
    hands.press("right", "right", "right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    assert any(line.label == "Your best" and line.value.startswith("3 steps") for line in hands.app.screen.lines)


@pytest.fixture
def ended(sit, hands):
    table = sit("A B L", "walker")
    hands.press("right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    hands.frame()
    return table


def test_undo_after_the_end(ended, hands):
    hands.press("u")
    assert hands.app.screen is ended and ended.session.outcome is None and as_fresh(hands, ended)
    hands.press("right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))


def test_after_the_end_keys_of_the_game_do_nothing(ended, hands):
    hands.press("left", "space", "p", "b")
    assert isinstance(hands.app.screen, EndingScreen) and ended.session.steps == 1


@pytest.mark.parametrize("key", ["return", "r", "tab", "n"])
def test_after_the_end_the_next_game_begins(ended, hands, key):
    hands.press(key)
    assert hands.app.screen is ended and ended.session.outcome is None and ended.session.steps == 0
    assert as_fresh(hands, ended)


def test_enter_after_a_win_goes_on_to_the_next_lesson(hands):
    table = hands.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    hands.click(middle(table, 0, 2))
    hands.press("right", "right", "right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    buttons = hands.app.screen.form.widgets
    assert [(button.text, button.strong) for button in buttons[:3]] == [
        ("Next", True), ("Again", False), ("Levels", False),
    ]  # fmt: skip
    assert all(theme.width_of(button.text) <= button.rect.width - 16 for button in buttons), "their words have room"
    hands.press("return")
    assert table.session.board.name == GAME.levels.boards()[1].name and hands.app.screen is table


def test_a_game_with_free_moves_sets_no_record(sit, hands):
    sit("A . B L", "walker")
    hands.click(middle(hands.app.screen, 0, 1))
    hands.press("right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    told = {line.label: line.value for line in hands.app.screen.lines}
    assert told["Help from"] == "free moves (no record)" and "Your best" not in told


def test_messages_after_the_end_are_visible(ended, hands):
    before = hands.pixels(ended.display.line.rect)
    hands.press("p")
    assert changed_pixels(before, hands.pixels(ended.display.line.rect)).any() and as_fresh(hands, ended)
    hands.press("3")
    assert isinstance(hands.app.screen, EndingScreen) and as_fresh(hands, ended)


def test_returning_to_a_finished_game_shows_its_ending(hands):
    hands.open(lambda app: TableScreen(app, Session(GAME, GAME.levels.boards()[0])))
    table, first = hands.app.screen, hands.app.screen.session
    hands.click(middle(table, 0, 2))
    hands.press("right", "right", "right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    hands.app.pop()
    table.table.open_board(drawn("A B L", "walker"), "walker")
    hands.press("right")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    hands.press("tab", shift=True)  # to the map where a game was left
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen) and hands.app.screen.state is first.state)
    assert table.session is first and len(hands.app.screens) == 2
    assert {line.label: line.value for line in hands.app.screen.lines}["Steps"] == "3"
    assert as_fresh(hands, table)


def test_the_buttons_of_the_ending(ended, hands, tmp_path):
    buttons = {button.text: button for button in hands.app.screen.form.widgets}
    hands.click(buttons["Save"].rect.center)
    assert list((tmp_path / "home" / "replays").glob("*.replay"))
    hands.click(buttons["Undo"].rect.center)
    assert hands.app.screen is ended and ended.session.outcome is None


def test_escape_leaves_the_ending_for_the_menu(ended, hands):
    hands.press("escape")
    assert isinstance(hands.app.screen, MenuScreen)


def test_a_lost_game_shows_its_ending(sit, hands):
    table = sit("A . . B L", "walker")
    table.session.state.game["stamina"][0] = 2
    table.session.env.set_state(table.session.state)
    hands.press("down", "down")
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))
    assert "Exhausted" in hands.app.screen.lines[0].value


def test_the_ending_waits_for_the_last_motion(sit, hands):
    table = sit("A B L", "walker", animation=True)
    hands.press("right")
    assert table.session.outcome and hands.app.screen is table and table.view.moving
    hands.until(lambda: isinstance(hands.app.screen, EndingScreen))


# --- sizes and rough hands


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1100, 760), (1600, 900), (500, 900), (1200, 300)])
def test_everything_has_its_place(sit, hands, size):
    table = sit(size=size)
    hands.press("3", "right", "right")
    whole, sight = Rect(0, 0, *size), table.display
    places = [table.view.area, sight.panel.rect, sight.line.rect]
    assert all(whole.contains(rect) for rect in places)
    assert all(rect.collidelist(places[n + 1 :]) < 0 for n, rect in enumerate(places))
    assert table.view.area.contains(table.view.board)
    rects = [rect for _, rect in sight.panel.placed()]
    assert rects and all(sight.panel.rect.contains(rect) for rect in rects)
    assert all(rect.collidelist(rects[n + 1 :]) < 0 for n, rect in enumerate(rects))
    assert as_fresh(hands, table)


def test_resizing_at_any_time(sit, hands):
    table = sit(preset="walker", animation=True, agent="greedy", watch=False)
    hands.press("1", "2", "3")
    for size in ((500, 700), (1000, 400), (320, 240), (900, 640)):
        hands.press("right")  # it still moves when the size changes
        hands.resize(size)
        assert table.view.area.contains(table.view.board) and as_fresh(hands, table)
    hands.press("f1")
    hands.resize((640, 480))
    hands.press("escape")
    assert as_fresh(hands, table)


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_random_input(sit, hands, preset):
    """Whatever is pressed, clicked, dragged and resized: nothing breaks, and the screen shows the game as it is."""
    rng = random.Random(preset)
    table = sit("A . B . L\n. B B . .\n. B B . .\n. . . . #", preset, animation=True)
    keys = ["up", "down", "left", "right", "x", "b", "h", ".", "u", "y", "r", "m", "1", "2", "3", "+", "-", "n", "tab", "f1", "escape", "return", "f2", "j"]  # fmt: skip
    for _ in range(220):
        size = hands.app.surface.get_size()
        act = rng.randrange(10)
        spot = rng.randrange(size[0]), rng.randrange(size[1])
        if act < 5:
            hands.key(rng.choice(keys), shift=rng.random() < 0.1)
        elif act < 7:
            hands.point(spot, False)
        elif act == 7:
            hands.hold(spot, frame=False)
        elif act == 8:
            hands.let_go(spot, frame=False)
        elif rng.random() < 0.3:
            hands.resize((rng.randrange(320, 1000), rng.randrange(240, 800)))
        if rng.random() < 0.7:
            hands.frame(rng.choice([0.0, 1 / 30, 0.3]))
        if not isinstance(hands.app.screens[0], TableScreen):  # it went to the menu
            table = TableScreen(hands.app, game(YARD, preset))
            hands.app.go(table)
    while not isinstance(hands.app.screen, TableScreen):
        hands.app.pop()
    hands.app.say("")
    hands.settle()
    table = hands.app.screen
    assert as_fresh(hands, table)
    assert np.array_equal(table.session.env.get_state().board, table.session.state.board)


def test_a_64_by_64_map(sit, hands):
    rng = np.random.default_rng(5)
    grid = rng.choice(list("...BL#"), (64, 64))
    grid[0, 0] = "A"
    table = sit("\n".join(" ".join(row) for row in grid), "walker", size=(1100, 760))
    assert table.view.cell_size == 11
    hands.press("1", "2", "3", "right", "down", "right")
    assert table.session.steps == 3 and as_fresh(hands, table)
    assert sum(rect.width * rect.height for rect in hands.press("left")) < 1100 * 760


def test_settings_remember_the_overlays(hands):
    hands.open(lambda app: TableScreen(app, game(ROW)), settings=Settings(overlays="13x"))
    assert hands.app.screen.table.overlays == {"1", "3"}


def test_saving_shows_the_path(sit, hands, tmp_path):
    sit()
    hands.press("k")
    assert str(Path(tmp_path / "home" / "replays")) in hands.app.note
    assert pygame.display.get_init()

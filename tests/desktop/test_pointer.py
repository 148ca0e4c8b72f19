"""The mouse over a board, event by event: drags and clicks."""

import pygame
import pytest

from shoverworld.core.grid import DOWN, RIGHT, UP
from shoverworld.desktop.table import TableScreen
from tests.windows import game, hands

__all__ = ["hands"]
DOCK = """
. . . . . .
. . B . . .
. . . . . .
A . . . . L
"""
BOX = (1, 2)


@pytest.fixture
def table(hands):
    """A table by phase2, with motion: nothing waits for that."""
    return hands.open(lambda app: TableScreen(app, game(DOCK, "phase2")), animation=True)


def spot(table, cell, dx=0.0, dy=0.0):
    """A place in the window: the middle of a cell, and so many cells beside it."""
    x, y = table.view.rect_of(cell).center
    return x + round(dx * table.view.cell_size), y + round(dy * table.view.cell_size)


def moves(table) -> list[tuple[int, ...]]:
    return [move.action for move in table.session.replay().moves]


@pytest.mark.parametrize(("dx", "dy", "direction"), [(2, 0, RIGHT), (0.6, 0.3, RIGHT), (0.2, 0.7, DOWN), (-1, -3, UP)])
def test_a_drag_pushes(table, hands, dx, dy, direction):
    hands.drag(spot(table, BOX), spot(table, BOX, dx, dy))
    assert moves(table) == [(*BOX, direction)]


def test_a_drag_in_one_frame_pushes(table, hands):
    hands.hold(spot(table, BOX), frame=False)
    hands.let_go(spot(table, BOX, 1.0), frame=False)
    hands.frame()
    assert moves(table) == [(*BOX, RIGHT)]


def test_a_short_drag_is_a_click(table, hands):
    hands.drag(spot(table, BOX), spot(table, BOX, 0.3, -0.2))
    assert moves(table) == [] and table.session.handler.selected == BOX


def test_a_drag_that_comes_back_is_taken_back(table, hands):
    hands.hold(spot(table, BOX))
    hands.point(spot(table, BOX, 2.0))
    hands.let_go(spot(table, BOX))
    assert moves(table) == []


@pytest.mark.parametrize("button", [2, 3])
def test_other_buttons_push_nothing(table, hands, button):
    hands.hold(spot(table, BOX), button)
    hands.let_go(spot(table, BOX, 2.0), button)
    assert moves(table) == [] and table.session.handler.selected is None


def test_a_drag_out_of_the_window_pushes(table, hands):
    """A fast hand has left the window before the system has noticed that the button is held: it is told of the leaving,
    then of the button."""
    hands.hold(spot(table, BOX))
    outside = hands.app.surface.get_width() + 200, spot(table, BOX)[1]
    hands.point(outside)
    hands.post(pygame.WINDOWLEAVE)
    hands.post(pygame.WINDOWENTER)
    hands.let_go(outside)
    hands.post(pygame.WINDOWLEAVE)
    hands.frame()
    assert moves(table) == [(*BOX, RIGHT)] and table.table.pointed is None


def test_a_button_released_outside_the_window_pushes_nothing(table, hands):
    hands.hold(spot(table, BOX))
    hands.post(pygame.WINDOWLEAVE)
    hands.frame()
    hands.down = False
    hands.point(spot(table, (3, 4)))
    assert table.pointer.held is None
    hands.let_go(spot(table, (3, 4)))
    assert moves(table) == []


def test_input_during_a_motion_is_not_lost(table, hands):
    for col in (2, 3, 4):
        hands.hold(spot(table, (1, col)), frame=False)
        hands.let_go(spot(table, (1, col), 1.0), frame=False)
        hands.frame(0.01)
        assert table.view.moving
    hands.key("u")
    hands.key("right")
    hands.frame(0.01)
    assert moves(table) == [(1, 2, RIGHT), (1, 3, RIGHT), (1, 4, RIGHT)]

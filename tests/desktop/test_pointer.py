"""The mouse over a board, event by event: drags and clicks."""

import pygame
import pytest

from shoverworld.core.grid import DOWN, RIGHT, UP
from shoverworld.desktop.table import TableScreen
from tests.windows import driver, game

__all__ = ["driver"]
DOCK = """
. . . . . .
. . B . . .
. . . . . .
A . . . . L
"""
BOX = (1, 2)


@pytest.fixture
def table(driver):
    """Open a game with the phase2 rules. Animation is on, but must not delay input."""
    return driver.open(lambda app: TableScreen(app, game(DOCK, "phase2")), animation=True)


def spot(table, cell, dx=0.0, dy=0.0):
    """Return the position of the centre of a cell, shifted by `dx` and `dy` cells."""
    x, y = table.view.rect_of(cell).center
    return x + round(dx * table.view.cell_size), y + round(dy * table.view.cell_size)


def moves(table) -> list[tuple[int, ...]]:
    return [move.action for move in table.session.replay().moves]


@pytest.mark.parametrize(("dx", "dy", "direction"), [(2, 0, RIGHT), (0.6, 0.3, RIGHT), (0.2, 0.7, DOWN), (-1, -3, UP)])
def test_a_drag_pushes_the_box(table, driver, dx, dy, direction):
    driver.drag(spot(table, BOX), spot(table, BOX, dx, dy))
    assert moves(table) == [(*BOX, direction)]


def test_a_drag_within_one_frame_pushes_the_box(table, driver):
    driver.hold(spot(table, BOX), frame=False)
    driver.release(spot(table, BOX, 1.0), frame=False)
    driver.frame()
    assert moves(table) == [(*BOX, RIGHT)]


def test_a_short_drag_is_a_click(table, driver):
    driver.drag(spot(table, BOX), spot(table, BOX, 0.3, -0.2))
    assert moves(table) == [] and table.session.handler.selected == BOX


def test_a_drag_that_returns_to_its_start_is_cancelled(table, driver):
    driver.hold(spot(table, BOX))
    driver.point(spot(table, BOX, 2.0))
    driver.release(spot(table, BOX))
    assert moves(table) == []


@pytest.mark.parametrize("button", [2, 3])
def test_other_mouse_buttons_push_nothing(table, driver, button):
    driver.hold(spot(table, BOX), button)
    driver.release(spot(table, BOX, 2.0), button)
    assert moves(table) == [] and table.session.handler.selected is None


def test_a_drag_out_of_the_window_pushes_the_box(table, driver):
    """A fast pointer may leave the window before the system registers that the button is held. The window receives the
    leave event first, then the button event."""
    driver.hold(spot(table, BOX))
    outside = driver.app.surface.get_width() + 200, spot(table, BOX)[1]
    driver.point(outside)
    driver.post(pygame.WINDOWLEAVE)
    driver.post(pygame.WINDOWENTER)
    driver.release(outside)
    driver.post(pygame.WINDOWLEAVE)
    driver.frame()
    assert moves(table) == [(*BOX, RIGHT)] and table.table.pointed is None


def test_releasing_the_button_outside_the_window_pushes_nothing(table, driver):
    driver.hold(spot(table, BOX))
    driver.post(pygame.WINDOWLEAVE)
    driver.frame()
    driver.down = False
    driver.point(spot(table, (3, 4)))
    assert table.pointer.held is None
    driver.release(spot(table, (3, 4)))
    assert moves(table) == []


def test_input_during_an_animation_is_not_lost(table, driver):
    for col in (2, 3, 4):
        driver.hold(spot(table, (1, col)), frame=False)
        driver.release(spot(table, (1, col), 1.0), frame=False)
        driver.frame(0.01)
        assert table.view.moving
    driver.key("u")
    driver.key("right")
    driver.frame(0.01)
    assert moves(table) == [(1, 2, RIGHT), (1, 3, RIGHT), (1, 4, RIGHT)]

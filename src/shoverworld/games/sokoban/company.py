"""A level for one player, played by two: where the second one stands when the game begins."""

from collections.abc import Container
from dataclasses import replace

from shoverworld.core.errors import LevelError

from .levels import Level
from .lurd import STEPS
from .lurd_replay import LurdGame, check

Cell = tuple[int, int]


def for_two(level: Level) -> Level:
    """The same level with a second player, on the nearest cell where he is not in the way of the level's solution.

    He stands where the first can walk to, if there is such a cell, and rather not on a target. The solution stays, for
    the first player alone, unless the second had to be put in its way.
    """
    first, *others = level.players
    if others:
        return level
    used = _used(level)
    near = _within_reach(level)
    floor = [(r, c) for r, c in _cells(level) if not (level.walls[r, c] or level.boxes[r, c])]
    beyond = [cell for cell in floor if cell not in near and cell != first]
    for cells in (near, beyond):
        if out_of_the_way := [cell for cell in cells if cell not in used]:
            return replace(level, players=(first, _no_target(level, out_of_the_way)))
    # Far off, so that both have something to do.
    if not (anywhere := near[::-1] or beyond):
        raise LevelError.at("there is no free cell for a second player", level.source, level.number)
    return replace(level, players=(first, _no_target(level, anywhere)), solution="")


def _cells(level: Level) -> list[Cell]:
    return [(row, col) for row in range(level.rows) for col in range(level.cols)]


def _no_target(level: Level, cells: list[Cell]) -> Cell:
    """The first of them that is no target; if all are, the first."""
    return next((cell for cell in cells if not level.targets[cell]), cells[0])


def _within_reach(level: Level) -> list[Cell]:
    """The cells that the first player can walk to, the nearest first."""
    start = level.players[0]
    found, seen = [start], {start}
    for row, col in found:
        for down, right in STEPS.values():
            cell = row + down, col + right
            if cell not in seen and not (level.walls[cell] or level.boxes[cell]):
                seen.add(cell)
                found.append(cell)
    return found[1:]


class _All(Container):
    """Every cell: nobody knows a solution, so nobody knows which cells it leaves alone."""

    def __contains__(self, _: object) -> bool:
        return True


def _used(level: Level) -> Container[Cell]:
    """The cells in which the player or a box is at some time while the solution is played."""
    if not level.solution or not check(level, level.solution).solved:
        return _All()
    game = LurdGame(level)
    used = {game.player, *game.boxes}
    for letter in level.solution:
        game.go(letter)
        used |= {game.player, *game.boxes}
    return used

"""Convert a level for one player into a level for two players."""

from collections.abc import Container
from dataclasses import replace

from shoverworld.core.errors import LevelError

from .levels import Level
from .lurd import STEPS
from .lurd_replay import LurdGame, check

Cell = tuple[int, int]


def for_two(level: Level) -> Level:
    """Return the level with a second player on the nearest cell that the level's solution does not use.

    Cells that the first player can reach are preferred, as are cells that are not targets. The first player can still
    play the solution alone. If the solution uses every free cell, the solution is removed from the level.
    """
    first, *others = level.players
    if others:
        return level
    used = _cells_used(level)
    near = _reachable(level)
    floor = [(r, c) for r, c in _cells(level) if not (level.walls[r, c] or level.boxes[r, c])]
    unreachable = [cell for cell in floor if cell not in near and cell != first]
    for cells in (near, unreachable):
        if unused := [cell for cell in cells if cell not in used]:
            return replace(level, players=(first, _prefer_off_target(level, unused)))
    # Any cell may be needed for the solution. Use the farthest cell, so that both players have something to do.
    if not (anywhere := near[::-1] or unreachable):
        raise LevelError.at("there is no free cell for a second player", level.source, level.number)
    return replace(level, players=(first, _prefer_off_target(level, anywhere)), solution="")


def _cells(level: Level) -> list[Cell]:
    return [(row, col) for row in range(level.rows) for col in range(level.cols)]


def _prefer_off_target(level: Level, cells: list[Cell]) -> Cell:
    """Return the first cell that is not a target, or the first cell if all of them are targets."""
    return next((cell for cell in cells if not level.targets[cell]), cells[0])


def _reachable(level: Level) -> list[Cell]:
    """Return the cells that the first player can walk to, nearest first."""
    start = level.players[0]
    found, seen = [start], {start}
    for row, col in found:
        for down, right in STEPS.values():
            cell = row + down, col + right
            if cell not in seen and not (level.walls[cell] or level.boxes[cell]):
                seen.add(cell)
                found.append(cell)
    return found[1:]


class _AllCells(Container):
    """A container of all cells, for a level without a known solution, where any cell may be needed."""

    def __contains__(self, _: object) -> bool:
        return True


def _cells_used(level: Level) -> Container[Cell]:
    """Return the cells that the player or a box occupies at some point in the solution."""
    if not level.solution or not check(level, level.solution).solved:
        return _AllCells()
    game = LurdGame(level)
    used = {game.player, *game.boxes}
    for letter in level.solution:
        game.go(letter)
        used |= {game.player, *game.boxes}
    return used

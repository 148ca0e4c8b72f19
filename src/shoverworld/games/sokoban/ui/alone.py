"""A room of two players, for one of them: the solver knows no more."""

from dataclasses import replace

from ..levels import Level


def alone(level: Level, who: int) -> Level | None:
    """The level for one of two players, the other as a pillar; None: he stands on a target."""
    row, col = level.players[1 - who]
    if level.targets[row, col]:
        return None
    walls = level.walls.copy()
    walls[row, col] = True
    return replace(level, walls=walls, players=(level.players[who],), solution="")

"""A cursor for hands without a mouse: the keys of the directions move it, and what it is on can be chosen."""

from shoverworld.core.ui import Cell, Scene

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
STEERING = {"up": 0, "w": 0, "right": 1, "d": 1, "down": 2, "s": 2, "left": 3, "a": 3}


class Aim:
    """`cell`: what it is on; None while there is no cursor."""

    def __init__(self):
        self.cell: Cell | None = None

    def begin(self, scene: Scene, selected: Cell | None) -> None:
        """On what is selected, else where the player stands."""
        self.cell = selected or focus_of(scene)

    def end(self) -> None:
        self.cell = None

    def steer(self, key: str, scene: Scene) -> bool:
        """Was it one of its keys?"""
        if self.cell is None or key not in STEERING:
            return False
        rows, cols = scene.tiles.shape
        down, right = STEPS[STEERING[key]]
        self.cell = min(max(0, self.cell[0] + down), rows - 1), min(max(0, self.cell[1] + right), cols - 1)
        return True


def focus_of(scene: Scene) -> Cell:
    """Where the player stands; the middle, if nobody does."""
    rows, cols = scene.tiles.shape
    if not scene.actors:
        return rows // 2, cols // 2
    row, col = scene.actors[0].end
    return round(row), round(col)

"""The rules of Key and Door.

    # wall   . floor   A player   K key   D door   E exit

In each step, the player walks one cell up, right, down or left. Walls block the player. A player who steps on
a key picks up the key. A player who carries a key can open a door, which uses up the key. The player wins by reaching
the exit.
"""

from dataclasses import dataclass, replace

WALL, FLOOR, PLAYER, KEY, DOOR, EXIT = "#.AKDE"
UP, RIGHT, DOWN, LEFT = range(4)
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # the row and column offset of each action


@dataclass(frozen=True)
class Maze:
    """A state of the game. It is immutable: each step creates a new state."""

    cells: tuple[str, ...]  # the rows of the board, without the player
    row: int
    col: int
    keys: int = 0  # number of keys that the player carries
    steps: int = 0
    outcome: str | None = None  # how the game ended, or None while it continues
    valid: bool = True  # whether the last action was possible
    reason: str = ""  # if it was not, a code for the reason
    remark: str = ""  # what the last step did, or why it was not possible

    @classmethod
    def parse(cls, text: str) -> "Maze":
        rows = text.strip().splitlines()
        row = next(number for number, line in enumerate(rows) if PLAYER in line)
        return cls(tuple(line.replace(PLAYER, FLOOR) for line in rows), row, rows[row].index(PLAYER))

    def copy(self) -> "Maze":
        return self

    def __str__(self) -> str:
        return "\n".join(put(self.cells, self.row, self.col, PLAYER))

    def after(self, action: int) -> "Maze":
        """Return the state after one step."""
        row, col = self.row + OFFSETS[action][0], self.col + OFFSETS[action][1]
        inside = 0 <= row < len(self.cells) and 0 <= col < len(self.cells[0])
        ahead = self.cells[row][col] if inside else WALL
        done = replace(self, steps=self.steps + 1, valid=True, reason="", remark="")
        if ahead == WALL:
            return replace(done, valid=False, reason="wall", remark="a wall is in the way")
        if ahead == DOOR and self.keys == 0:
            return replace(done, valid=False, reason="locked", remark="the door is locked; find a key")
        done = replace(done, row=row, col=col)
        if ahead == KEY:
            return replace(done, cells=put(self.cells, row, col, FLOOR), keys=self.keys + 1, remark="picked up a key")
        if ahead == DOOR:
            return replace(done, cells=put(self.cells, row, col, FLOOR), keys=self.keys - 1, remark="opened a door")
        return replace(done, outcome="escaped", remark="left the maze") if ahead == EXIT else done


def put(cells: tuple[str, ...], row: int, col: int, character: str) -> tuple[str, ...]:
    """Return a copy of the rows in which one character is replaced."""
    line = cells[row]
    return (*cells[:row], line[:col] + character + line[col + 1 :], *cells[row + 1 :])

"""The line rules as gates: a line is legal when of every gate, which is a pair of cells, at least one is on the track.

lines.py asks one line at a time; here the same is said of a displacement, to be asked of all cells at once. A test compares
the two for every displacement. Cells are told as steps from the cell where the line begins.
"""

from shoverworld.core.jit import inner, rare

from ..config import LANDING, VALID_LINE
from ..lines import next_cell


@rare
def gates_of(pitch, dx, dy, line, gates):
    """Fill in the gates of a line, the landing cell among them; how many there are."""
    gates[0, 0] = gates[0, 1] = dy * pitch + dx
    if line == LANDING:
        return 1
    right, down = 1 if dx > 0 else -1, pitch if dy > 0 else -pitch
    if line == VALID_LINE:
        count = gates_between(right, down, abs(dx), abs(dy), gates, 1)
        return gates_between(down, right, abs(dy), abs(dx), gates, count)
    return cells_crossed(pitch, dx, dy, gates)


@inner
def gates_between(along, across, length, rise, gates, count):
    """At each column strictly between the ends (or row: then `along` leads down) the two cells that the line passes
    between; twice the same one where it is exact."""
    for i in range(1, length):
        whole, part = (i * rise) // length, (i * rise) % length
        gates[count, 0] = i * along + whole * across
        gates[count, 1] = gates[count, 0] + (across if part else 0)
        count += 1
    return count


@rare
def cells_crossed(pitch, dx, dy, gates):
    """The cells that the line goes through after the first, each a gate of its own; a line of no length has its own cell."""
    if dx == 0 and dy == 0:
        gates[0, 0] = gates[0, 1] = 0
        return 1
    right, down = 1 if dx > 0 else -1, pitch if dy > 0 else -pitch
    here, columns, rows, count = 0, 0, 0, 0
    while columns < abs(dx) or rows < abs(dy):
        step, columns, rows = next_cell(right, down, abs(dx), abs(dy), columns, rows)
        here += step
        gates[count, 0] = gates[count, 1] = here
        count += 1
    return count


def most_gates(fast_x: int, fast_y: int) -> int:
    return fast_x + fast_y + 1

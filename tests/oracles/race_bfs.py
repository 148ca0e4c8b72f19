"""A breadth-first search for the minimum number of legal moves in which a single car can finish.

A track is a list of rows (`track[y][x]`) or a NumPy array; a cell is a pair (x, y). The search
implements section 3 of the rules as simply as possible. The tests compare the planner with this search.
"""

from .race_twin import ACTIONS, FINISH, LINES, START, TRACK, crossed


def cells_of(track, *codes):
    return [(x, y) for y, row in enumerate(track) for x, what in enumerate(row) if what in codes]


def fewest_moves(track, starts=None, line="valid_line", finish="land"):
    """Return the minimum number of moves from any of `starts` (default: all start cells) to the finish; None if unreachable."""
    path = shortest(track, starts, line, finish)
    return None if path is None else len(path) - 1


def from_every_start(track, line="valid_line", finish="land"):
    """Return the minimum number of moves from each start cell; None if the finish is unreachable."""
    return {start: fewest_moves(track, [start], line, finish) for start in cells_of(track, START)}


def shortest(track, starts=None, line="valid_line", finish="land"):
    """Return the cells of a shortest path, start first; None if the finish is unreachable."""
    on_track = set(cells_of(track, TRACK, START, FINISH))
    goal = set(cells_of(track, FINISH))
    gates_of = LINES[line]

    def is_legal(x, y, dx, dy):
        return (x + dx, y + dy) in on_track and all(
            any((x + a, y + b) in on_track for a, b in gate) for gate in gates_of(dx, dy)
        )

    def is_finished(x, y, dx, dy):
        if finish == "land":
            return (x + dx, y + dy) in goal
        return any((x + a, y + b) in goal for a, b in crossed(dx, dy))

    layer = [(x, y, 0, 0) for x, y in (cells_of(track, START) if starts is None else starts)]
    came_from = dict.fromkeys(layer)
    while layer:
        next_layer = []
        for state in layer:
            x, y, vx, vy = state
            for ax, ay in ACTIONS:
                dx, dy = vx + ax, vy + ay
                after = (x + dx, y + dy, dx, dy)
                if after in came_from or not is_legal(x, y, dx, dy):
                    continue
                came_from[after] = state
                if is_finished(x, y, dx, dy):
                    return path_to(after, came_from)
                next_layer.append(after)
        layer = next_layer
    return None


def path_to(state, came_from):
    cells = []
    while state is not None:
        cells.append(state[:2])
        state = came_from[state]
    return cells[::-1]

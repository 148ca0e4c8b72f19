"""Plain breadth-first search over position and velocity: the fewest legal moves to the finish, for a car alone on the track.

A track is a list of rows (`track[y][x]`, also a NumPy array), a cell a pair (x, y). Written for its plainness, from section 3
of the rules; the planner is compared with it.
"""

from .race_twin import ACTIONS, FINISH, LINES, START, TRACK, crossed


def cells_of(track, *codes):
    return [(x, y) for y, row in enumerate(track) for x, what in enumerate(row) if what in codes]


def fewest_moves(track, starts=None, line="valid_line", finish="land"):
    """How many moves the finish is away from the best of `starts` (all start cells when not given); None: out of reach."""
    way = shortest(track, starts, line, finish)
    return None if way is None else len(way) - 1


def from_every_start(track, line="valid_line", finish="land"):
    """The fewest moves from each start cell; None where the finish is out of reach."""
    return {start: fewest_moves(track, [start], line, finish) for start in cells_of(track, START)}


def shortest(track, starts=None, line="valid_line", finish="land"):
    """The cells of a shortest way, the start first; None when there is none."""
    on_track = set(cells_of(track, TRACK, START, FINISH))
    goal = set(cells_of(track, FINISH))
    gates_of = LINES[line]

    def is_legal(x, y, dx, dy):
        return (x + dx, y + dy) in on_track and all(
            any((x + a, y + b) in on_track for a, b in gate) for gate in gates_of(dx, dy)
        )

    def is_home(x, y, dx, dy):
        if finish == "land":
            return (x + dx, y + dy) in goal
        return any((x + a, y + b) in goal for a, b in crossed(dx, dy))

    layer = [(x, y, 0, 0) for x, y in (cells_of(track, START) if starts is None else starts)]
    came_from = dict.fromkeys(layer)
    while layer:
        following = []
        for state in layer:
            x, y, vx, vy = state
            for ax, ay in ACTIONS:
                dx, dy = vx + ax, vy + ay
                after = (x + dx, y + dy, dx, dy)
                if after in came_from or not is_legal(x, y, dx, dy):
                    continue
                came_from[after] = state
                if is_home(x, y, dx, dy):
                    return way_to(after, came_from)
                following.append(after)
        layer = following
    return None


def way_to(state, came_from):
    cells = []
    while state is not None:
        cells.append(state[:2])
        state = came_from[state]
    return cells[::-1]

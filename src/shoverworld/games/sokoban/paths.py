"""Paths along which a player can walk, or can push one box while the other boxes stay in place.

The kernels write their results to a workspace (path_workspace.py). Directions are numbered as in core/grid.py.
"""

from shoverworld.core.grid import DOWN, LEFT, RIGHT, UP, ahead
from shoverworld.core.jit import inner, kernel, rare

from .path_workspace import BOX_CELL, COMPLETE, LIMIT, PLACES, PLAYER_CELL, WALLS_WIDTH, WIDTH
from .rules import place_of
from .solver.tables import FAR, connect_sides, pull_away
from .state import BOX, PLAYER, TARGET, WALL

ORDER = (UP, DOWN, LEFT, RIGHT)  # the order in which directions are tried
NOWHERE, START = -1, 4  # instead of a direction: the cell cannot be reached; the walk starts here
FIRST, UNKNOWN = -1, -2  # instead of a push: the first push of a path; a push that has not been found
PUSHING = 4  # added to the direction of a step that pushes a box
NO_PATH, TOO_LONG = -1, -2  # instead of the number of steps


@inner
def mark_occupied(state, who, occupied):
    """Mark the cells that this player cannot walk to: walls, boxes and the other player."""
    planes = state.planes[0]
    other = PLAYER + 1 - who
    for cell in range(planes.shape[1]):
        taken = planes[WALL, cell] != 0 or planes[BOX, cell] != 0
        if planes.shape[0] > PLAYER + 1:
            taken |= planes[other, cell] != 0
        occupied[cell] = taken


# --- Walks


@rare
def flood(occupied, width, start, came, queue):
    """Find the cells that can be reached from `start`, and the direction of the last step to each of them."""
    came[:] = NOWHERE
    came[start] = START
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for direction in ORDER:
            there = here + ahead(direction, width)
            if occupied[there] == 0 and came[there] == NOWHERE:
                came[there] = direction
                queue[tail] = there
                tail += 1


@rare
def append_walk(came, width, goal, steps, count):
    """Add the walk to a cell to the first `count` steps. Return the new number of steps, or NO_PATH or TOO_LONG."""
    if came[goal] == NOWHERE:
        return NO_PATH
    end, cell = count, goal
    while came[cell] != START:
        cell -= ahead(came[cell], width)
        end += 1
    if end > len(steps):
        return TOO_LONG
    cell = goal
    for k in range(end - 1, count - 1, -1):
        steps[k] = came[cell]
        cell -= ahead(came[cell], width)
    return end


@kernel
def find_walk(state, who, goal, work):
    """Write a shortest walk to a cell to `steps`. Return the number of steps, or NO_PATH.

    `came` shows all cells that the player can walk to.
    """
    mark_occupied(state, who, work.occupied)
    flood(work.occupied, state.width, int(place_of(state.game[0], who)), work.came, work.queue)
    return append_walk(work.came, state.width, goal, work.steps, 0)


# --- Pushes of one box


@inner
def is_answered(state, who, box, limit, work):
    """Return whether the last search answered this question. If not, write the question to the workspace."""
    player, searched, same = int(place_of(state.game[0], who)), work.searched, True
    mark_occupied(state, who, work.occupied)
    work.occupied[box] = 0
    for cell in range(len(work.occupied)):
        same &= work.ground[cell] == work.occupied[cell]
        work.ground[cell] = work.occupied[cell]
    same &= searched[WIDTH] == state.width and searched[LIMIT] == limit
    same &= searched[PLAYER_CELL] == player and searched[BOX_CELL] == box
    searched[WIDTH], searched[LIMIT], searched[PLAYER_CELL], searched[BOX_CELL] = state.width, limit, player, box
    return same


@rare
def number_sides(work, width, box):
    """Number the areas on the four sides of a box. Return the number of cells visited.

    A side that is not free has the number -1. Two sides have the same number if the player can walk from one to the
    other around the box.
    """
    ground, sides, seen, queue = work.ground, work.sides[4 * box : 4 * box + 4], work.seen, work.queue
    for side in range(4):
        sides[side] = -1 if ground[box + ahead(side, width)] else side
    for k in range(6):  # more than one round, so that a join at the last corner spreads to all sides
        side, beside = k % 4, (k + 1) % 4
        corner = box + ahead(side, width) + ahead(beside, width)
        if sides[side] >= 0 and sides[beside] >= 0 and ground[corner] == 0:
            sides[side] = sides[beside] = min(sides[side], sides[beside])
    cost = 0
    for first in range(4):
        others = False
        for side in range(4):
            others |= sides[side] > sides[first]
        if not others or sides[first] != first:
            continue
        stamp = 4 * box + first + 1  # no corner joins the sides, so search farther
        start = box + ahead(first, width)
        seen[box] = seen[start] = stamp
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            here = queue[head]
            head += 1
            for direction in range(4):
                there = here + ahead(direction, width)
                if ground[there] == 0 and seen[there] != stamp:
                    seen[there] = stamp
                    queue[tail] = there
                    tail += 1
        cost += tail
        for side in range(4):
            if sides[side] >= 0 and seen[box + ahead(side, width)] == stamp:
                sides[side] = first
    return cost


@rare
def search_pushes(state, who, box, limit, work):
    """Find the cells that a player can push a box to without help from the other player.

    The search is cut short after it has visited `limit` cells.
    """
    if is_answered(state, who, box, limit, work):
        return
    width, ground, sides = state.width, work.ground, work.sides
    before, depth, pending, pushes, last = work.before, work.depth, work.pending, work.pushes, work.last
    sides[:] = -2  # not numbered yet
    before[:] = UNKNOWN
    pushes[:] = -1
    last[:] = FIRST
    work.seen[:] = 0
    pushes[box] = 0
    places, visits, head, tail = 0, 0, 0, 0
    ground[box] = 1
    flood(ground, width, int(place_of(state.game[0], who)), work.came, work.queue)
    ground[box] = 0
    for direction in ORDER:
        forward = ahead(direction, width)
        if work.came[box - forward] != NOWHERE and ground[box + forward] == 0:
            push = 4 * box + direction
            before[push], depth[push], pending[tail] = FIRST, 0, push
            tail += 1
    while head < tail:
        push = pending[head]
        head += 1
        direction = push % 4
        there = push // 4 + ahead(direction, width)
        if pushes[there] < 0:
            pushes[there], last[there] = depth[push] + 1, push
            places += 1
        if visits > limit:
            break
        if sides[4 * there] == -2:
            visits += number_sides(work, width, there)
        # The player now stands where the box was, on the side from which the box was pushed.
        area = sides[4 * there + (direction + 2) % 4]
        for turn in ORDER:
            following = 4 * there + turn
            if (
                sides[4 * there + (turn + 2) % 4] == area
                and ground[there + ahead(turn, width)] == 0
                and before[following] == UNKNOWN
            ):
                before[following], depth[following], pending[tail] = push, depth[push] + 1, following
                tail += 1
    work.searched[PLACES], work.searched[COMPLETE] = places, visits <= limit


@kernel
def find_pushes(state, who, box, limit, work):
    """Find the cells that a player can push a box to. Return the number of these cells.

    `pushes` contains the minimum number of pushes to each cell, or -1.
    """
    search_pushes(state, who, box, limit, work)
    return int(work.searched[PLACES])


@kernel
def find_push_path(state, who, box, goal, limit, work):
    """Write the steps that push a box to a cell in the fewest pushes to `steps`.

    Return the number of steps, NO_PATH, or TOO_LONG if the path does not fit into `steps`.
    """
    search_pushes(state, who, box, limit, work)
    width, occupied, route, steps = state.width, work.occupied, work.route, work.steps
    push, count = work.last[goal], 0
    while push != FIRST:
        route[count] = push
        count += 1
        push = work.before[push]
    if count == 0:
        return NO_PATH
    mark_occupied(state, who, occupied)
    player, done = int(place_of(state.game[0], who)), 0
    for k in range(count - 1, -1, -1):
        cell, direction = route[k] // 4, route[k] % 4
        forward = ahead(direction, width)
        flood(occupied, width, player, work.came, work.queue)
        done = append_walk(work.came, width, cell - forward, steps, done)
        if done < 0 or done == len(steps):
            return TOO_LONG
        steps[done] = direction + PUSHING
        done += 1
        occupied[cell], occupied[cell + forward], player = 0, 1, cell
    return done


# --- Distances of a box that is alone on the board


@kernel
def measure_lone_box(state, number, work):
    """Write the minimum number of pushes from each cell to any target, or to target `number`, to `distance`.

    The distance is FAR if a box cannot be pushed there.
    """
    planes, cells = state.planes[0], len(work.walls)
    same = work.searched[WALLS_WIDTH] == state.width
    work.searched[WALLS_WIDTH] = state.width
    for cell in range(cells):
        same &= work.walls[cell] == planes[WALL, cell]
        work.walls[cell] = planes[WALL, cell]
    if not same:
        work.lone_sides[:] = -1
        work.seen[:] = 0
        connect_sides(state.width, work.walls, work.lone_sides, work.queue, work.seen)
    count = 0
    for cell in range(cells):
        work.distance[cell] = FAR
        if planes[TARGET, cell] != 0 and (number == 0 or planes[TARGET, cell] == number):
            work.goals[count] = cell
            count += 1
    pull_away(state.width, work.walls, work.lone_sides, work.goals[:count], work.distance, work.best, work.pending)

"""The rules of Shover-World. Each rule is written here once; numbers such as 1.4 refer to sections of docs/rules.md.

Start at the bottom (`step`) for the big picture, or at the top for the individual parts.
The decorators only specify how a function is compiled (core/jit.py); readers can ignore them.
Boards in the docstrings:  . empty   B box   # barrier   L lava   A the shover
The map has a frame of barriers (or of lava, if `edge="lava"`), so no rule has to check for the edge of the map.
"""

import numpy as np

from shoverworld.core.grid import DOWN, ahead, cell_at, col_of, down, index, roll, row_of, to_the_right
from shoverworld.core.jit import inner, kernel, part, rare

from .config import (
    ACTION_FIRST,
    BARRIER_MAKER,
    CONTACT,
    FIRST_SPECIAL,
    FRONT,
    HELLIFY,
    NOOP,
    SELECT,
    SMALLEST,
    SPECIALS,
    SQUARES_FIRST,
    WALK,
    WHOLE,
)
from .reasons import (
    BARRIER_BEYOND,
    DISSOLVED,
    EDGE_BEYOND,
    NO_BOX,
    NO_LARGE_SQUARE,
    NO_SQUARE,
    OFF_MAP,
    ON_BARRIER,
    ON_LAVA,
    VALID,
)
from .state import BARRIER, BOX, CLEARED, EMPTY, EXHAUSTED, LAVA, PLAYING, TIMEOUT, ShoverEvent

SMALLEST_SQUARE = tuple(special.smallest for special in SPECIALS)


@inner
def at(board, cell):
    """Return the content of a cell."""
    return board[index(cell)]


@inner
def put(board, cell, content):
    board[index(cell)] = content


@inner
def is_box(content):
    return (content > EMPTY) & (content < BARRIER)


@inner
def done(chain, charged, cost, burnt, barrier, hellified, corner):
    return ShoverEvent(True, chain, charged, cost, burnt, barrier, hellified, corner, VALID, 0)


@inner
def nothing(reason, blocked):
    """Return the event for a step that moved no box and used no square. The step is valid if the reason is VALID."""
    return ShoverEvent(reason == VALID, 0, False, 0.0, 0, 0, 0, 0, reason, blocked)


@inner
def is_off_map(board, width, cell, col):
    """Return whether a cell, which is in column `col`, is in the frame around the map."""
    return cell < width or cell >= len(board) - width or col < 0 or col == width - 2


# ---------------------------------------------------------------- 1.4 perfect squares


@inner
def blocks_around(board, width, cell):
    """Return how many 2 x 2 blocks of boxes this cell is part of, assuming that the cell contains a box.

    Every perfect square contains at least one block, so a board without blocks need not be searched for squares.
    """
    up, down_ = is_box(at(board, cell - width)), is_box(at(board, cell + width))
    left, right = is_box(at(board, cell - 1)), is_box(at(board, cell + 1))
    return (
        (up & left & is_box(at(board, cell - width - 1)))
        + (up & right & is_box(at(board, cell - width + 1)))
        + (down_ & left & is_box(at(board, cell + width - 1)))
        + (down_ & right & is_box(at(board, cell + width + 1)))
    )


@inner
def is_in_block(board, width, cell):
    """Return whether this cell contains a box that is part of a 2 x 2 block, as every box of a perfect square is."""
    return is_box(at(board, cell)) and blocks_around(board, width, cell) > 0


@rare
def square_at(board, width, cell):
    """Return the size n and the top-left cell of the perfect square that contains `cell`; n is 0 if there is none.

    . . . .     . . . .     . . . B    n x n boxes, n >= 2, and no box in the ring around them,
    . B B .     . B B .     . B B .    corners included. Only the first board has a perfect square.
    . B B .     . B . .     . B B .
    . . . .     . . . .     . . . .
    """
    corner = cell
    while is_box(at(board, corner - width)):
        corner -= width
    while is_box(at(board, corner - 1)):
        corner -= 1
    n = 1
    while is_box(at(board, corner + n)):
        n += 1
    if n == 1:
        return 0, corner
    for row in range(-1, n + 1):
        for col in range(-1, n + 1):
            inside = 0 <= row < n and 0 <= col < n
            if is_box(at(board, corner + row * width + col)) != inside:
                return 0, corner
    return n, corner


@rare
def note_square(board, squares, game, width, cell):
    """If the box on this cell belongs to a perfect square that is not listed yet, add the square with age 0.

    The list is sorted by age, oldest first; squares of equal age are in row-major order.
    """
    n, corner = square_at(board, width, cell)
    if n == 0:
        return
    place = game.squares
    while place > 0 and squares[place - 1].born == game.timestep and squares[place - 1].corner >= corner:
        place -= 1
        if squares[place].corner == corner:
            return
    for i in range(game.squares, place, -1):
        squares[i] = squares[i - 1]
    squares[place].n = n
    squares[place].row, squares[place].col = row_of(corner, width), col_of(corner, width)
    squares[place].corner = corner
    squares[place].born = game.timestep
    game.squares += 1


@rare
def spoil_square(board, squares, game, width, cell):
    """If the box on this cell belongs to a perfect square, remove the square from the list."""
    n, corner = square_at(board, width, cell)
    if n > 0:
        forget(squares, game, corner)


@rare
def forget(squares, game, corner):
    """Remove the square with this top-left cell from the list."""
    for i in range(game.squares):
        if squares[i].corner == corner:
            game.squares -= 1
            for j in range(i, game.squares):
                squares[j] = squares[j + 1]
            clear(squares, game.squares)
            return


@inner
def clear(squares, place):
    squares[place].n = 0
    squares[place].row, squares[place].col = 0, 0
    squares[place].corner = 0
    squares[place].born = 0


@part
def box_leaves(board, squares, game, width, cell):
    """Remove the box from a cell and update the list of squares.

    The square that contained the box is gone, and a group of n x n boxes with this box in its ring may have become a
    square. No other square can change.
    """
    if game.squares > 0:
        spoil_square(board, squares, game, width, cell)
    game.blocks -= blocks_around(board, width, cell)
    put(board, cell, EMPTY)
    if game.blocks > 0:
        for row in range(-1, 2):
            for col in range(-1, 2):
                near = cell + row * width + col
                if is_in_block(board, width, near):
                    note_square(board, squares, game, width, near)


@part
def box_arrives(board, squares, game, width, cell, box):
    """Put a box on an empty cell. Squares with this cell in their ring are gone, and the box may complete a square."""
    if game.squares > 0:
        for row in range(-1, 2):
            for col in range(-1, 2):
                near = cell + row * width + col
                if is_in_block(board, width, near):
                    spoil_square(board, squares, game, width, near)
    completed = blocks_around(board, width, cell)
    game.blocks += completed
    put(board, cell, box)
    if completed > 0:
        note_square(board, squares, game, width, cell)


@inner
def use_up(squares, game, n, corner):
    """Remove a square that has dissolved or that a special action has used."""
    forget(squares, game, corner)
    game.boxes -= n * n
    game.blocks -= (n - 1) * (n - 1)


@inner
def size_and_corner(squares, place):
    return np.int64(squares[place].n), np.int64(squares[place].corner)


@inner
def is_due(square, timestep, rules):
    return timestep - square.born >= rules.perf_sq_initial_age


@inner
def dissolve_old_squares(board, squares, game, rules, width):
    """Empty the squares that have reached the age `perf_sq_initial_age`. Return the size n of the largest one, or 0.

    The player gains neither reward nor stamina, and the boxes do not count as destroyed.
    """
    game.dissolved = 0
    largest = 0
    while game.squares > 0 and is_due(squares[0], game.timestep, rules):
        n, corner = size_and_corner(squares, 0)
        fill(board, width, corner, n, EMPTY)
        use_up(squares, game, n, corner)
        game.dissolved += n * n
        largest = max(largest, n)
    return largest


@rare
def fill(board, width, corner, n, content):
    for row in range(n):
        for col in range(n):
            put(board, corner + row * width + col, content)


# ---------------------------------------------------------------- 1.2 and 1.3 the push and its cost


@inner
def is_moving(game, cell, direction, width):
    """Return whether the box on this cell moved in this direction in the previous timestep."""
    if game.moving == 0 or game.moving_direction != direction:
        return False
    box = game.moving_cell
    for _ in range(game.moving):
        if box == cell:
            return True
        box += ahead(direction, width)
    return False


@part
def starts_from_rest(game, rules, target, front, direction, width):
    """Return whether this push costs the initial force.

    The condition depends on the rules: the box at the target is at rest (contact), the front box is at rest (front), or
    the last push was in a different direction (last_push).
    """
    if rules.stationary == CONTACT:
        return not is_moving(game, target, direction, width)
    if rules.stationary == FRONT:
        return not is_moving(game, front, direction, width)
    return game.last_push != direction


@inner
def cost_of(rules, chain, charged):
    """Return the stamina cost of pushing this many boxes.

    The planner's bounds (planner/bounds.py) rely on this formula.
    """
    cost = rules.unit_force * chain
    if charged:
        cost += rules.initial_force
    if rules.push_pays_step_cost:
        cost += rules.step_cost
    return cost


@inner
def chain_from(board, target, forward):
    """Return the number of boxes in an unbroken line that starts at the target, and the cell beyond them."""
    beyond = target
    chain = 0
    while is_box(at(board, beyond)):
        beyond += forward
        chain += 1
    return chain, beyond


@part
def push(board, squares, game, rules, width, target, col, direction):
    """Push the chain of boxes that starts at the target, which is in column `col`.

    A B B .  ->  . A B B      an empty cell beyond the chain: all boxes move
    A B B L  ->  . A B L      lava: all boxes move and the front box burns
    A B B #  ->  A B B #      anything else: the push is invalid
    """
    forward = ahead(direction, width)
    chain, beyond = chain_from(board, target, forward)
    if at(board, beyond) == BARRIER:
        off_map = is_off_map(board, width, beyond, col + chain * to_the_right(direction))
        return nothing(EDGE_BEYOND if off_map else BARRIER_BEYOND, chain)

    charged = starts_from_rest(game, rules, target, beyond - forward, direction, width)
    cost = cost_of(rules, chain, charged)
    burnt = 1 if at(board, beyond) == LAVA else 0

    # The occupied cells change only at the ends: a box leaves the target and a box arrives beyond the chain.
    hindmost = at(board, target)
    box_leaves(board, squares, game, width, target)
    if not burnt:
        box_arrives(board, squares, game, width, beyond, hindmost)
    carry = hindmost  # each box keeps its strength
    cell = target + forward
    while cell != beyond:
        pushed = at(board, cell)
        put(board, cell, carry)
        carry = pushed
        cell += forward
    if not burnt:
        put(board, beyond, carry)

    game.boxes -= burnt
    game.destroyed += burnt
    game.moving = chain - burnt
    game.moving_cell = target + forward
    game.moving_direction = direction
    game.last_push = direction
    return done(chain, charged, cost, burnt, 0, 0, 0)


# ---------------------------------------------------------------- 1.1 the target cell


@part
def target_of(game, rules, row, col, direction):
    """Return the target cell of a direction: for a walker, the next cell in this direction; otherwise, (row, col)."""
    if rules.actor == WALK:
        return game.row + down(direction), game.col + to_the_right(direction)
    return row, col


@inner
def reason_not_to_enter(board, rules, width, target, col):
    """Return the reason why the shover cannot act on a target without a box, or VALID if the shover can move there."""
    if rules.actor == SELECT:
        return NO_BOX
    if at(board, target) == EMPTY:
        return VALID
    if is_off_map(board, width, target, col):
        return OFF_MAP
    return ON_LAVA if at(board, target) == LAVA else ON_BARRIER


@part
def act(board, squares, game, rules, width, row, col, direction):
    """Play a direction: push the box at the target, or move to the target if it is empty. Anything else is invalid."""
    game.direction = direction
    row, col = target_of(game, rules, row, col, direction)
    target = cell_at(row, col, width)
    game.target = target
    if is_box(at(board, target)):
        event = push(board, squares, game, rules, width, target, col, direction)
    else:
        event = nothing(reason_not_to_enter(board, rules, width, target, col), 0)
    if event.valid:
        game.row, game.col = row, col
    return event


# ---------------------------------------------------------------- 1.5 specials


@inner
def smallest_square(action):
    """Return the smallest n for which this special action can use an n x n square."""
    return SMALLEST_SQUARE[action - FIRST_SPECIAL]


@inner
def picked_square(squares, game, rules, smallest_n, start):
    """Return the index of the square that a special action uses, or -1 if there is none. Ignore squares before `start`.

    Depending on the rules, the action uses the oldest square or the oldest of the smallest squares.
    """
    best = -1
    for i in range(start, game.squares):
        if squares[i].n >= smallest_n:
            if best < 0 or squares[i].n < squares[best].n:
                best = i
            if rules.pick != SMALLEST:
                break
    return best


@inner
def reason_without_square(action, dissolved):
    """Return the reason why a special action has no square to use.

    `dissolved` is the size of the largest dissolved square.
    """
    if dissolved >= smallest_square(action):
        return DISSOLVED
    return NO_LARGE_SQUARE if action == HELLIFY else NO_SQUARE


@inner
def barrier_maker(board, squares, game, rules, width, dissolved):
    """B B      # #
    B B  ->  # #     All n x n cells become barriers."""
    chosen = picked_square(squares, game, rules, smallest_square(BARRIER_MAKER), 0)
    if chosen < 0:
        return nothing(reason_without_square(BARRIER_MAKER, dissolved), 0)
    n, corner = size_and_corner(squares, chosen)
    fill(board, width, corner, n, BARRIER)
    use_up(squares, game, n, corner)
    return done(0, False, 0.0, 0, n, 0, corner)


@inner
def hellify(board, squares, game, rules, width, dissolved):
    """B B B      . . .
    B B B  ->  . L .     Squares with n >= 3: the border becomes empty, and the interior becomes lava
    B B B      . . .     (with hellify="whole", the whole square becomes lava). All boxes count as destroyed."""
    chosen = picked_square(squares, game, rules, smallest_square(HELLIFY), 0)
    if chosen < 0:
        return nothing(reason_without_square(HELLIFY, dissolved), 0)
    n, corner = size_and_corner(squares, chosen)
    if rules.hellify == WHOLE:
        fill(board, width, corner, n, LAVA)
    else:
        fill(board, width, corner, n, EMPTY)
        fill(board, width, corner + width + 1, n - 2, LAVA)
    use_up(squares, game, n, corner)
    game.destroyed += n * n
    return done(0, False, 0.0, 0, 0, n, corner)


@rare
def special(board, squares, game, rules, width, action, dissolved):
    """Play a special action. `dissolved` is the size of the largest square that has dissolved in this step, or 0."""
    if action == BARRIER_MAKER:
        return barrier_maker(board, squares, game, rules, width, dissolved)
    return hellify(board, squares, game, rules, width, dissolved)


# ---------------------------------------------------------------- 1.6 stamina, reward and end


@part
def stamina_change(event, rules):
    """Return the change in stamina.

    A push costs stamina, and each burnt box refunds the initial force. Every other action costs `step_cost`, and the
    barrier maker adds `barrier_stamina` for each converted cell.
    """
    if event.chain > 0:
        return rules.initial_force * event.burnt - event.cost
    return rules.barrier_stamina * (event.barrier * event.barrier) - rules.step_cost


@inner
def reward_of(event, reward):
    earned = (
        reward.lava * event.burnt
        + reward.barrier * (event.barrier * event.barrier)
        + reward.hellify * (event.hellified * event.hellified)
        - reward.push_cost * event.cost
    )
    return earned if event.valid else earned + reward.invalid


@part
def outcome_of(game, rules):
    """Return the first outcome that applies: cleared, exhausted, timeout."""
    if game.boxes == 0:
        return CLEARED
    if game.stamina <= 0:
        return EXHAUSTED
    if game.timestep >= rules.max_timestep:
        return TIMEOUT
    return PLAYING


# ---------------------------------------------------------------- a step, and the start of a game


@part
def step(state, i, rules, row, col, z):
    """Play one timestep of game i in place. The action must be in the action space."""
    board, squares, game, width = state.board[i], state.squares[i], state.game[i], state.width
    action = z - rules.z_base
    is_special = action >= FIRST_SPECIAL
    event = nothing(VALID, 0)  # the event for a no-op

    game.timestep += 1
    if 0 <= action < FIRST_SPECIAL:
        event = act(board, squares, game, rules, width, row, col, action)
    if is_special and rules.order == ACTION_FIRST:
        event = special(board, squares, game, rules, width, action, 0)
    dissolved = dissolve_old_squares(board, squares, game, rules, width)
    if is_special and rules.order == SQUARES_FIRST:
        event = special(board, squares, game, rules, width, action, dissolved)

    if event.chain == 0:
        game.moving = 0  # all moving boxes come to rest
    game.stamina += stamina_change(event, rules)
    game.outcome = outcome_of(game, rules)
    game.previous_row, game.previous_col, game.previous_action, game.kind = row, col, z, action
    note_event(game, event)
    return event


@part
def note_event(game, event):
    """Store the whole event in the state, so that viewers, agents and the info dict need not derive it again."""
    game.valid = event.valid
    game.chain = event.chain
    game.charged = event.charged
    game.cost = event.cost
    game.burnt = event.burnt
    game.barrier = event.barrier
    game.hellified = event.hellified
    game.corner = event.corner
    game.reason = event.reason
    game.blocked = event.blocked


@inner
def is_anywhere(rules, z):
    """Return whether the position in an action with this z has no effect: for waiting, special actions and walkers."""
    return rules.actor == WALK or not rules.z_base <= z < rules.z_base + FIRST_SPECIAL


@inner
def is_valid(state, i, rules, row, col, z):
    """Return whether this action would be valid in game i, without changing the game."""
    board, squares, game, width = state.board[i], state.squares[i], state.game[i], state.width
    action = z - rules.z_base
    if action < 0:
        return True
    if action >= FIRST_SPECIAL:
        start = 0
        if rules.order == SQUARES_FIRST:  # a special action cannot use squares that dissolve before it takes effect
            while start < game.squares and is_due(squares[start], game.timestep + 1, rules):
                start += 1
        return picked_square(squares, game, rules, smallest_square(action), start) >= 0
    row, col = target_of(game, rules, row, col, action)
    target = cell_at(row, col, width)
    if is_box(at(board, target)):
        return at(board, chain_from(board, target, ahead(action, width))[1]) != BARRIER
    return reason_not_to_enter(board, rules, width, target, col) == VALID


@kernel
def reset(state, i, rules, start):
    """Start game i: set up one of the given maps or a random map, place the shover and find the squares."""
    board, squares, game, width = state.board[i], state.squares[i], state.game[i], state.width
    chosen = roll(game, len(start.boards)) if len(start.boards) > 1 else 0
    game.map = start.first + chosen if start.first >= 0 else -1
    for cell in range(len(board)):
        put(board, cell, start.boards[chosen, cell])
    if start.boxes >= 0:
        deal(board, game, start)
    game.boxes = start.boxes if start.boxes >= 0 else count_boxes(board, width)
    game.blocks = count_blocks(board, width)

    game.stamina = rules.initial_stamina
    game.timestep = 0
    game.direction = DOWN
    game.destroyed = 0
    game.moving = 0
    game.moving_cell = 0
    game.moving_direction = 0
    game.last_push = -1
    game.outcome = PLAYING
    game.previous_row, game.previous_col, game.previous_action, game.kind = -1, -1, -1, NOOP
    note_event(game, nothing(VALID, 0))
    game.target = 0
    game.dissolved = 0
    game.shover = rules.actor != SELECT
    for place in range(game.squares):
        clear(squares, place)
    game.squares = 0
    find_squares(board, squares, game, width)
    if start.starts[chosen, 0] >= 0:
        game.row, game.col = start.starts[chosen, 0], start.starts[chosen, 1]
    else:
        cell = random_empty_cell(board, game)
        game.row, game.col = row_of(cell, width), col_of(cell, width)


@inner
def find_squares(board, squares, game, width):
    """Add all perfect squares to the empty list."""
    if game.blocks > 0:
        for cell in range(width, len(board) - width):
            if is_box(at(board, cell)):
                note_square(board, squares, game, width, cell)


@inner
def count_boxes(board, width):
    """Return the number of boxes on a map."""
    boxes = 0
    for cell in range(width, len(board) - width):
        boxes += is_box(at(board, cell))
    return boxes


@inner
def count_blocks(board, width):
    """Return the number of 2 x 2 blocks of boxes on a map."""
    blocks = 0
    for cell in range(width, len(board) - 2 * width):  # the top-left cell of a block
        if is_box(at(board, cell)):
            blocks += (
                is_box(at(board, cell + 1)) & is_box(at(board, cell + width)) & is_box(at(board, cell + width + 1))
            )
    return blocks


@inner
def deal(board, game, start):
    """Fill an empty map with the given numbers of boxes, barriers and lava cells. All layouts are equally likely.

    Each object goes to a random cell. If the cell is taken, the object goes to the next random cell instead.
    """
    placed = 0
    while placed < start.boxes + start.barriers + start.lavas:
        cell = roll(game, len(board))
        content = BOX if placed < start.boxes else BARRIER if placed < start.boxes + start.barriers else LAVA
        is_free = at(board, cell) == EMPTY
        put(board, cell, content if is_free else at(board, cell))  # without a branch, which would be hard to predict
        placed += is_free


@inner
def random_empty_cell(board, game):
    """Return a random empty cell. The frame has no empty cells, so the cell is on the map."""
    cell = roll(game, len(board))
    while at(board, cell) != EMPTY:
        cell = roll(game, len(board))
    return cell

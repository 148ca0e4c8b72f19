"""The rules of Sokoban and its variants. Each rule is implemented once.

docs/sokoban.md explains the rules.
For an overview, start with `step` near the end of the file. For the details, read from the top down.
The decorators only select how a function is compiled (core/jit.py); ignore them while reading.
The boards below use XSB characters:
    # wall   - floor   . target   $ box   * box on a target   @ player   + player on a target
"""

from shoverworld.core.grid import index, roll
from shoverworld.core.jit import both, inner, rare

from .reasons import BEYOND, BOX_AHEAD, PLAYER_AHEAD, VALID, WALL_AHEAD
from .state import BOX, PLAYER, PLAYING, SECOND, SOLVED, TARGET, TIMEOUT, WALL, SokobanEvent

NOTHING, PUSH, MOVE, PULL = -1, 0, 1, 2
UP, DOWN, LEFT, RIGHT = range(4)  # gym-sokoban's order, which differs from the order in core/grid.py
DIRECTIONS = ("up", "down", "left", "right")

# ---------------------------------------------------------------- actions


@both
def meaning(rules, action):
    """Decode an action into the player, the kind of action and the direction.

    | action         | 0     | 1-4  | 5-8  | 9-12             | second player: the same actions again          |
    | push and move  | no-op | push | move | pull, if allowed | 9-16 (with pulls 13-24)                        |
    | four           | 0-3 push                                | 4-7                                            |
    """
    code = action + rules.first_code
    who = code > rules.actions_each
    code -= who * rules.actions_each
    return who, (code - 1) >> 2, (code - 1) & 3


@inner
def ahead(direction, width):
    """Return the offset from a cell to its neighbour in this direction."""
    distance = width if direction < LEFT else 1
    return (2 * (direction & 1) - 1) * distance


# ---------------------------------------------------------------- cells


@inner
def at(planes, plane, cell):
    """Return the value of a plane at this cell, which is 0 if nothing is there."""
    return planes[plane, index(cell)]


@inner
def put(planes, plane, cell, number):
    planes[plane, index(cell)] = number


@inner
def obstacle(planes, rules, cell):
    """Return the reason why a player or a box cannot enter a cell, or VALID if the cell is free.

    With only one player, the player's own cell counts as free. A cell contains at most one wall, box or player, so at
    most one term of the sum is not 0. A sum has no branches that the processor could mispredict.
    """
    reason = at(planes, WALL, cell) * WALL_AHEAD + (at(planes, BOX, cell) != 0) * BOX_AHEAD
    if rules.players > 1:
        reason += ((at(planes, PLAYER, cell) | at(planes, SECOND, cell)) != 0) * PLAYER_AHEAD
    return reason


@inner
def is_home(planes, cell, box):
    """Return whether this cell is a target for this box.

    With fixed targets, the numbers of the box and the target must be equal; otherwise all numbers are 1.
    """
    return at(planes, TARGET, cell) == box


@inner
def place_of(game, who):
    return game.second if who else game.player


@inner
def walk(planes, game, who, here, there):
    put(planes, PLAYER + who, here, 0)
    put(planes, PLAYER + who, there, 1)
    if who:
        game.second = there
    else:
        game.player = there


@inner
def shift_box(planes, game, here, there):
    """Move a box by one cell. Return the change in the number of boxes that are on their targets: 1, 0 or -1."""
    box = at(planes, BOX, here)
    put(planes, BOX, here, 0)
    put(planes, BOX, there, box)
    change = int(is_home(planes, there, box)) - int(is_home(planes, here, box))
    game.on_target += change
    return change


# ---------------------------------------------------------------- push, move, pull


@inner
def nothing(reason):
    """Return the event for a step in which no player moved. The step is valid if the reason is VALID."""
    return SokobanEvent(reason == VALID, False, False, False, 0, reason)


@inner
def push(planes, game, rules, who, here, forward):
    """@ $ .   ->   - @ *     push one box onto a free cell;   @ $ $   and   @ $ #   are invalid"""
    there, beyond = here + forward, here + 2 * forward
    reason = obstacle(planes, rules, beyond)
    if reason != VALID:
        return nothing(reason + BEYOND)
    change = shift_box(planes, game, there, beyond)
    game.pushes += 1
    walk(planes, game, who, here, there)
    return SokobanEvent(True, True, True, False, change, VALID)


@inner
def move(planes, game, rules, who, here, forward):
    """@ .   ->   - +     walk onto a free cell;   @ $   and   @ #   are invalid: the player stays"""
    there = here + forward
    reason = obstacle(planes, rules, there)
    free = reason == VALID
    walk(planes, game, who, here, there if free else here)
    return SokobanEvent(free, free, False, False, 0, reason)


@inner
def pull(planes, game, rules, who, here, forward):
    """. @ $   ->   + $ -     (a pull to the left) the player steps away and the box behind follows; if
    there is no box behind, the player just steps away"""
    behind = here - forward
    event = move(planes, game, rules, who, here, forward)
    if not event.moved or at(planes, BOX, behind) == 0:
        return event
    game.pulls += 1
    return SokobanEvent(True, True, False, True, shift_box(planes, game, behind, here), VALID)


@inner
def act(planes, game, rules, width, who, kind, direction):
    """Carry out an action. If there is no box ahead, a push becomes a move."""
    here, forward = place_of(game, who), ahead(direction, width)
    if kind == PUSH and at(planes, BOX, here + forward) != 0:
        return push(planes, game, rules, who, here, forward)
    if kind == PULL:
        return pull(planes, game, rules, who, here, forward)
    return move(planes, game, rules, who, here, forward)


@rare
def act_second(planes, game, rules, width, kind, direction):
    """Carry out an action of the second player. Separate code for each player is faster."""
    return act(planes, game, rules, width, 1, kind, direction)


# ---------------------------------------------------------------- reward and end


@inner
def reward_of(event, game, reward):
    if event.change == 0 and game.outcome != SOLVED:
        return reward.step
    return reward_with_bonus(
        event.change, game.outcome, reward.step, reward.on_target, reward.off_target, reward.solved
    )


@rare
def reward_with_bonus(change, outcome, earned, on_target, off_target, solved):
    if change > 0:
        earned += on_target
    elif change < 0:
        earned += off_target
    if outcome == SOLVED:
        earned += solved
    return earned


@inner
def outcome_of(game, rules):
    """Return the outcome: solved if all boxes are on their targets, otherwise timeout if the step limit is reached."""
    if game.all_on_target:
        return SOLVED
    if game.steps >= rules.max_steps:
        return TIMEOUT
    return PLAYING


# ---------------------------------------------------------------- steps and starts


@inner
def step(state, i, rules, action):
    """Play one step of game i, update the game in place and return the event.

    The action must be in the action space.
    """
    planes, game = state.planes[i], state.game[i]
    who, kind, direction = meaning(rules, action)
    event = nothing(VALID)  # the event for a no-op
    if who:
        event = act_second(planes, game, rules, state.width, kind, direction)
    elif kind != NOTHING:
        event = act(planes, game, rules, state.width, 0, kind, direction)
    game.steps += 1
    game.moves += event.moved
    game.all_on_target = game.on_target == game.boxes
    game.outcome = outcome_of(game, rules)
    game.last_action = action
    note_event(game, event)
    return event


@inner
def note_event(game, event):
    game.valid = event.valid
    game.pushed = event.pushed
    game.pulled = event.pulled
    game.change = event.change
    game.reason = event.reason


@inner
def obstacle_to(state, i, rules, who, kind, direction):
    """Return the reason why the player, or the box ahead that they push, cannot move. Also return whether they push."""
    planes, game = state.planes[i], state.game[i]
    forward = ahead(direction, state.width)
    there = place_of(game, who) + forward
    pushes = kind == PUSH and at(planes, BOX, there) != 0
    if pushes:
        there += forward
    return obstacle(planes, rules, there), pushes


@inner
def is_valid(state, i, rules, action):
    """Return whether this action is valid in game i. The state does not change."""
    who, kind, direction = meaning(rules, action)
    if kind == NOTHING:
        return True
    reason, _ = obstacle_to(state, i, rules, who, kind, direction)
    return reason == VALID


@inner
def reason_for(state, i, rules, action):
    """Return why this action is invalid in game i, or VALID. The state does not change."""
    who, kind, direction = meaning(rules, action)
    if kind == NOTHING:
        return VALID
    reason, pushes = obstacle_to(state, i, rules, who, kind, direction)
    return reason + BEYOND if pushes and reason != VALID else reason


@rare
def reset(state, i, bank, level):
    """Start game i on stored level number `level`, or on a random stored level if `level` is -1."""
    planes, game = state.planes[i], state.game[i]
    chosen = roll(game, len(bank.boxes)) if level < 0 else level
    stored = bank.cells[chosen]
    for plane in range(planes.shape[0]):
        bit = 1 << plane
        for cell in range(planes.shape[1]):
            planes[plane, cell] = (stored[cell] & bit) != 0
    if len(bank.numbers) > 0:
        for cell in range(planes.shape[1]):
            planes[TARGET, cell] = bank.numbers[chosen, 0, cell]
            planes[BOX, cell] = bank.numbers[chosen, 1, cell]
    game.player, game.second = bank.players[chosen, 0], bank.players[chosen, 1]
    game.boxes, game.on_target = bank.boxes[chosen], bank.on_target[chosen]
    game.all_on_target = game.on_target == game.boxes
    game.steps, game.moves, game.pushes, game.pulls = 0, 0, 0, 0
    game.level = chosen
    game.last_action = -1
    game.outcome = PLAYING
    note_event(game, nothing(VALID))

"""Positions of a race in a tree search: a few cars, played turn by turn with precomputed regrets.

The cost of a car is the number of steps in which it finishes if it drives on alone: its steps so far plus the minimum
number of moves from its state. A move adds its regret to the cost, so no step has to be counted. `play_turn` gives the
same positions as `rules.step`; a test compares the two.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .. import rules as rulebook
from .costs import steps_to_go
from .regrets import ILLEGAL, LARGE, code_of, is_finishing, move_codes

ROW, COL, DROW, DCOL, WAIT, COST, DONE = range(7)  # the fields of a car
FIELDS = 7
NOBODY = -1  # all cars have finished
FAR_LEADS = 64  # number of costs for which the value against the cars outside the search is stored


class Positions(NamedTuple):
    """The positions from the root of a search to the current one, with one row per turn.

    The search contains the car that plans (`me`) and its nearest rivals. The costs of all other cars stay the same.
    """

    cars: np.ndarray  # int64 (turns + 1, cars, FIELDS)
    who: np.ndarray  # int64 (turns + 1,): the car whose turn it is
    order: np.ndarray  # int64 (turns + 1, 9): the actions to try, best first
    count: np.ndarray  # int64 (turns + 1,): the number of actions to try
    base: np.ndarray  # int64 (cars,): the cost of each car at the root
    blocked: np.ndarray  # bool (9,): the actions at the root that end on another car
    far: np.ndarray  # int64 (FAR_LEADS,): the value against the other cars if `me` has lost this many steps


def new_positions(cars: int, turns: int) -> Positions:
    rows = turns + 1
    return Positions(
        np.zeros((rows, cars, FIELDS), np.int64), np.zeros(rows, np.int64), np.zeros((rows, 9), np.int64),
        np.zeros(rows, np.int64), np.zeros(cars, np.int64), np.zeros(9, np.bool_), np.zeros(FAR_LEADS, np.int64),
    )  # fmt: skip


# ---------------------------------------------------------------- the root


@kernel
def set_root(positions, state, rules, ground, chosen):
    """Write the first game of a state to the first row. `chosen` lists the cars in the search, in turn order."""
    cars, turn = state.cars[0], state.game[0].turn
    me = 0
    for k in range(len(chosen)):
        car, copy = cars[chosen[k]], positions.cars[0, k]
        copy[ROW], copy[COL], copy[DROW], copy[DCOL] = car.row, car.col, car.drow, car.dcol
        copy[WAIT], copy[DONE], copy[COST] = car.wait, car.place > 0, cost_of_car(car, rules, ground)
        positions.base[k] = copy[COST]
        if chosen[k] == turn:
            me = k
    positions.who[0] = me
    for action in range(rulebook.ACTIONS):
        row, col = rulebook.landing_cell(cars[turn], action)
        positions.blocked[action] = rulebook.is_occupied(cars, turn, row, col)
    positions.far[:] = 0
    for other in range(len(cars)):
        inside = False
        for k in range(len(chosen)):
            inside |= chosen[k] == other
        if not inside:
            cost = cost_of_car(cars[other], rules, ground)
            for lost in range(FAR_LEADS):
                positions.far[lost] += lead_value(cost - positions.base[me] - lost)


@inner
def cost_of_car(car, rules, ground):
    if car.place > 0:
        return np.int64(car.steps)
    left = steps_to_go(ground.table, rules, car.row, car.col, car.drow, car.dcol)
    return np.int64(car.steps + car.wait + left)


# ---------------------------------------------------------------- a turn


@rare
def list_actions(positions, turn, rules, ground, slack, first):
    """List the actions to try: `first` if it is among them, then the actions with the smallest regrets.

    These are the actions with the smallest regret of all, and those with which the car has not lost more than `slack`
    steps since the root. A car without a legal move keeps its velocity and crashes.
    """
    who, order = positions.who[turn], positions.order[turn]
    car = positions.cars[turn, who]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    smallest = ILLEGAL
    for action in range(rulebook.ACTIONS):
        if is_free(positions, turn, codes, action):
            smallest = min(smallest, code_of(codes, action))
    most = max(smallest, min(slack - (car[COST] - positions.base[who]), LARGE - 1))
    count = 0
    for action in range(rulebook.ACTIONS):
        if code_of(codes, action) > most or not is_free(positions, turn, codes, action):
            continue
        place = count
        while place > 0 and action_rank(codes, action, first) < action_rank(codes, order[place - 1], first):
            order[place] = order[place - 1]
            place -= 1
        order[place] = action
        count += 1
    if count == 0:
        order[0], count = rulebook.KEEP, 1
    positions.count[turn] = count


@inner
def is_free(positions, turn, codes, action):
    """Return whether the car whose turn it is may take this action."""
    if code_of(codes, action) == ILLEGAL or (turn == 0 and positions.blocked[action]):
        return False
    who = positions.who[turn]
    car = positions.cars[turn, who]
    row, col = car[ROW] + car[DROW] + action // 3 - 1, car[COL] + car[DCOL] + action % 3 - 1
    return not is_taken(positions, turn, who, row, col)


@inner
def is_taken(positions, turn, who, row, col):
    """Return whether a car other than car `who` is on this cell."""
    for other in range(positions.cars.shape[1]):
        car = positions.cars[turn, other]
        if car[ROW] == row and car[COL] == col and other != who and car[DONE] == 0:
            return True
    return False


@inner
def action_rank(codes, action, first):
    return -1 if action == first else code_of(codes, action)


@rare
def play_turn(positions, turn, rules, ground, action):
    """Write the position after this action to the next row. The action is legal, or it is a crash (see list_actions)."""
    allowed = turn > 0 or not positions.blocked[action]
    copy_position(positions, turn, turn + 1)
    play_here(positions, turn + 1, rules, ground, action, allowed)


@inner
def play_here(positions, turn, rules, ground, action, allowed=True):
    """Play the action in a row. It is a crash if it is not allowed, not legal, or leads to another car."""
    car = positions.cars[turn, positions.who[turn]]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    if not allowed or not is_free(positions, turn, codes, action):
        crash(car, rules, ground)
    else:
        drive(car, rules, ground, codes, action)
    pass_turn(positions, turn)


@inner
def copy_position(positions, turn, to):
    positions.who[to] = positions.who[turn]
    for who in range(positions.cars.shape[1]):
        for field in range(FIELDS):
            positions.cars[to, who, field] = positions.cars[turn, who, field]


@inner
def left_of(car, rules, ground):
    return steps_to_go(ground.table, rules, car[ROW], car[COL], car[DROW], car[DCOL])


@inner
def crash(car, rules, ground):
    before = left_of(car, rules, ground)
    car[DROW], car[DCOL], car[WAIT] = 0, 0, rules.penalty
    car[COST] += 1 + rules.penalty + left_of(car, rules, ground) - before


@inner
def drive(car, rules, ground, codes, action):
    code = code_of(codes, action)
    before = left_of(car, rules, ground) if code == LARGE else 0
    car[DROW] += action // 3 - 1
    car[DCOL] += action % 3 - 1
    car[ROW] += car[DROW]
    car[COL] += car[DCOL]
    if is_finishing(codes, action):
        car[DONE] = 1
    elif code == LARGE:
        car[COST] += 1 + left_of(car, rules, ground) - before
    else:
        car[COST] += code


@inner
def pass_turn(positions, turn):
    """Pass the turn to the next car that is racing and not waiting, or to NOBODY."""
    cars = positions.cars.shape[1]
    racing = False
    for who in range(cars):
        racing |= positions.cars[turn, who, DONE] == 0
    who = positions.who[turn]
    while racing:
        who = who + 1 if who + 1 < cars else 0
        car = positions.cars[turn, who]
        if car[DONE] == 0:
            if car[WAIT] == 0:
                positions.who[turn] = who
                return
            car[WAIT] -= 1
    positions.who[turn] = NOBODY


# ---------------------------------------------------------------- the value of a position


@inner
def lead_value(lead):
    """Return the value of a lead over one car. The first step decides the place and counts most."""
    size = abs(lead)
    value = 100 + 12 * min(size, 6) + size if size > 0 else 0
    return value if lead > 0 else -value


@inner
def value_of(positions, turn, me):
    """Return the value of a position for the car `me`: the sum over its leads, if all cars drive on alone."""
    cost = positions.cars[turn, me, COST]
    value = positions.far[min(max(cost - positions.base[me], 0), FAR_LEADS - 1)]
    for other in range(positions.cars.shape[1]):
        if other != me:
            value += lead_value(positions.cars[turn, other, COST] - cost)
    return value

"""The decision of the agent `racer`, which the tactician also uses to predict its rivals.

`look_ahead` searches turn by turn: every car chooses what is best for itself, which means few steps for itself and, with a
small weight, many steps for the other cars. As a result, a car takes a cell that another car needs, and avoids positions
that could leave it without a legal move. Actions with the same value are compared by simulated drives, in which every car
drives as if it were alone and chooses at random among the moves with the smallest regret.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import roll
from shoverworld.core.jit import inner, kernel, rare

from .. import rules as rulebook
from .costs import DOOMED, steps_to_go
from .regrets import LARGE, best_of, code_of, move_codes
from .turns import (
    COL,
    COST,
    DCOL,
    DONE,
    DROW,
    FIELDS,
    NOBODY,
    ROW,
    Positions,
    drive,
    is_free,
    new_positions,
    pass_turn,
    play_here,
    play_turn,
    set_root,
)  # fmt: skip
from .values import FAR, moves_left

# For each set of actions, as nine bits: its size, and its actions in ascending order.
BITS_SET = np.array([bits.bit_count() for bits in range(512)])
NTH_BIT = np.array([([k for k in range(9) if bits >> k & 1] + [0] * 9)[:9] for bits in range(512)])


class RacerSearch(NamedTuple):
    """The constants of the racer, and scratch memory with one row per turn."""

    positions: Positions  # all cars of the race; the first row is the position in which a car decides
    rank: np.ndarray  # int64 (turns + 1, 9): the additional steps of the actions to try
    tried: np.ndarray  # int64 (turns + 1,): the number of actions tried
    worth: np.ndarray  # float64 (turns + 1,): the best value so far for the car whose turn it is
    steps: np.ndarray  # int64 (turns + 1, cars): the costs of all cars that determine this value
    width: np.ndarray  # int64 (cars,): the number of actions to try for each car after the first turn
    answer: np.ndarray  # float64 (9,): the value of each action on the first turn; -inf if the action was not tried
    rng: np.ndarray  # GAME_RECORD (2,): the random number generator of the simulated drives, and its initial state
    spite: float  # the value of delaying another car by one step
    widest: int  # the number of actions to try for each car that is considered
    most: int  # approximate maximum number of positions to evaluate
    rounds: int  # maximum number of rounds to look ahead
    times: int  # number of simulated drives for each action
    far: int  # rounds in a simulated drive
    rivals: int  # maximum number of rivals to consider


def new_racer(
    state, spite: float, widest: int, most: int, rounds: int, times: int, far: int, rivals: int
) -> RacerSearch:
    """Return the search for a race. It uses a copy of the random number generator of the game."""
    cars = state.car_count
    turns = max(2, rounds * cars)
    rng = np.zeros(2, state.game.dtype)
    rng[:] = state.game[0]
    return RacerSearch(
        new_positions(cars, turns), np.zeros((turns + 1, 9), np.int64), np.zeros(turns + 1, np.int64),
        np.zeros(turns + 1), np.zeros((turns + 1, cars), np.int64), np.zeros(cars, np.int64), np.zeros(9), rng,
        spite / max(1, cars - 1), widest, most, rounds, times, far, rivals,
    )  # fmt: skip


@kernel
def decision(racer, state, rules, ground, everyone):
    """Return the action for the car whose turn it is. `everyone`: the numbers of all cars."""
    set_root(racer.positions, state, rules, ground, everyone)
    racer.positions.blocked[:] = False  # all cars are in the search
    racer.rng[1] = state.game[0]
    return decide(racer, rules, ground)


@rare
def decide(racer, rules, ground):
    """Return the action for the car whose turn it is in the position in the first row."""
    positions, answer = racer.positions, racer.answer
    racing = count_racing(positions, 0)
    look_ahead(racer, rules, ground, turns_ahead(racer, racing))
    best, equal = -1, 0
    for action in range(rulebook.ACTIONS):
        if answer[action] > -np.inf and (best < 0 or answer[action] > answer[best]):
            best, equal = action, 0
        equal += best >= 0 and answer[action] == answer[best]
    if best < 0:
        return rulebook.KEEP
    if racing == 1 or equal == 1:
        return best
    racer.rng[0] = racer.rng[1]
    top, chosen, highest = answer[best], best, -np.inf
    for action in range(rulebook.ACTIONS):
        if answer[action] == top:
            mean = mean_result(racer, rules, ground, action, racer.far * racing)
            if mean > highest:
                highest, chosen = mean, action
    return chosen


@inner
def decide_alone(racer, rules, ground):
    """Return the action of a car that drives as if it were alone: the first one with the smallest cost."""
    list_by_rank(racer, rules, ground, 0, 1)
    return racer.positions.order[0, 0]


# ---------------------------------------------------------------- the size of the search


@inner
def count_racing(positions, turn):
    racing = 0
    for who in range(positions.cars.shape[1]):
        racing += positions.cars[turn, who, DONE] == 0
    return racing


@rare
def turns_ahead(racer, racing):
    """Choose the width for each car, and return the number of turns to look ahead.

    Only a car that could meet the car whose turn it is within two rounds is considered; all others drive as if they were
    alone. Each additional turn multiplies the number of positions.
    """
    positions, width, cars = racer.positions, racer.width, racer.positions.cars.shape[1]
    me = positions.who[0]
    width[:] = 1
    for _ in range(racer.rivals):
        nearest, least = -1, 1 << 30
        for who in range(cars):
            gap = gap_between(positions.cars[0, me], positions.cars[0, who], 2)
            if who != me and width[who] == 1 and gap < least and positions.cars[0, who, DONE] == 0:
                nearest, least = who, gap
        if nearest >= 0:
            width[nearest] = racer.widest
    width[me] = racer.widest
    turns, count = 1, 9
    while turns < racer.rounds * racing:
        count *= width[(me + turns) % cars]
        if count > racer.most:
            break
        turns += 1
    return turns


@inner
def gap_between(car, other, rounds):
    """Return the smallest distance between two cars within this number of rounds, or 1 << 30 if they cannot meet.

    In n rounds, two cars can change the distance between them by n (n + 1) cells compared with their velocities now.
    """
    gap, meet = np.int64(1 << 30), False
    for ahead in range(1, rounds + 1):
        down = abs(other[ROW] - car[ROW] + ahead * (other[DROW] - car[DROW]))
        right = abs(other[COL] - car[COL] + ahead * (other[DCOL] - car[DCOL]))
        gap = min(gap, max(down, right))
        meet |= max(down, right) <= ahead * (ahead + 1)
    return gap if meet else np.int64(1 << 30)


# ---------------------------------------------------------------- the search


@rare
def look_ahead(racer, rules, ground, turns):
    """Write the value of each action at the first turn: every car does what is best for itself."""
    positions = racer.positions
    racer.answer[:] = -np.inf
    list_by_rank(racer, rules, ground, 0, 9)
    turn = 0
    while True:
        if racer.tried[turn] < positions.count[turn]:
            action = positions.order[turn, racer.tried[turn]]
            racer.tried[turn] += 1
            play_turn(positions, turn, rules, ground, action)
            turn += 1
            if turn < turns - 1 and positions.who[turn] != NOBODY:
                list_by_rank(racer, rules, ground, turn, racer.width[positions.who[turn]])
                continue
            for who in range(positions.cars.shape[1]):
                racer.steps[turn, who] = positions.cars[turn, who, COST]
            if turn < turns and positions.who[turn] != NOBODY:  # on the last turn, the cheapest action is the best
                racer.steps[turn, positions.who[turn]] += fewest_more(racer, rules, ground, turn)
        elif turn == 0:
            return
        turn -= 1
        take_value(racer, turn)


@rare
def fewest_more(racer, rules, ground, turn):
    """Return the additional steps of the cheapest action."""
    positions = racer.positions
    car = positions.cars[turn, positions.who[turn]]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    free = free_best(positions, turn, codes)
    if free > 0:
        return code_of(codes, NTH_BIT[free, 0])
    before = car[COST]
    list_by_rank(racer, rules, ground, turn, 1)
    play_turn(positions, turn, rules, ground, positions.order[turn, 0])
    return positions.cars[turn + 1, positions.who[turn], COST] - before


@inner
def free_best(positions, turn, codes):
    """Return the actions with the smallest regret that do not lead to another car, as bits."""
    who, free = positions.who[turn], best_of(codes)
    car = positions.cars[turn, who]
    row, col = car[ROW] + car[DROW] - 1, car[COL] + car[DCOL] - 1  # the landing cell of action 0
    for other in range(positions.cars.shape[1]):
        rival = positions.cars[turn, other]
        down, right = rival[ROW] - row, rival[COL] - col
        if 0 <= down < 3 and 0 <= right < 3 and other != who and rival[DONE] == 0:
            free &= ~(np.int64(1) << (3 * down + right))
    return free


@inner
def take_value(racer, turn):
    """Evaluate the action just tried, and keep the result if it is the best so far for the car whose turn it is."""
    positions = racer.positions
    worth = worth_of(racer.steps[turn + 1], positions.who[turn], racer.spite)
    if turn == 0:
        racer.answer[positions.order[0, racer.tried[0] - 1]] = worth
    if worth > racer.worth[turn]:
        racer.worth[turn] = worth
        for who in range(positions.cars.shape[1]):
            racer.steps[turn, who] = racer.steps[turn + 1, who]


@inner
def worth_of(steps, who, spite):
    worth = -float(steps[who])
    for other in range(len(steps)):
        if other != who:
            worth += spite * min(steps[other], steps[who] + 50)
    return worth


@rare
def list_by_rank(racer, rules, ground, turn, width):
    """List the actions to try, cheapest first. Moves after which a crash is unavoidable are a last resort."""
    positions, rank, order = racer.positions, racer.rank[turn], racer.positions.order[turn]
    car = positions.cars[turn, positions.who[turn]]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    count = 0
    for action in range(rulebook.ACTIONS):
        if not is_free(positions, turn, codes, action):
            continue
        own = rank_of(car, codes, rules, ground, action)
        place = count
        while place > 0 and rank[place - 1] > own:
            rank[place], order[place] = rank[place - 1], order[place - 1]
            place -= 1
        rank[place], order[place] = own, action
        count += 1
    while count > 1 and rank[count - 1] >= DOOMED and rank[0] < DOOMED:
        count -= 1
    if count == 0:
        order[0], count = rulebook.KEEP, 1
    positions.count[turn], racer.tried[turn], racer.worth[turn] = min(count, width), 0, -np.inf


@inner
def rank_of(car, codes, rules, ground, action):
    """Return the additional steps of an action; DOOMED is added if a crash becomes unavoidable."""
    code = code_of(codes, action)
    return code if code < LARGE else large_rank(car, rules, ground, action)


@rare
def large_rank(car, rules, ground, action):
    drow, dcol = car[DROW] + action // 3 - 1, car[DCOL] + action % 3 - 1
    row, col = car[ROW] + drow, car[COL] + dcol
    doomed = DOOMED if moves_left(ground.table, row, col, drow, dcol) >= FAR else 0
    before = steps_to_go(ground.table, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    return np.int64(doomed + 1 + steps_to_go(ground.table, rules, row, col, drow, dcol) - before)


# ---------------------------------------------------------------- simulated drives


@rare
def mean_result(racer, rules, ground, action, turns):
    """Return the mean value of this action if all cars then drive as if they were alone, with random ties."""
    positions = racer.positions
    cars, me, total = positions.cars, positions.who[0], 0.0
    for _ in range(racer.times):
        for who in range(cars.shape[1]):
            for field in range(FIELDS):
                cars[1, who, field] = cars[0, who, field]
        positions.who[1] = me
        play_here(positions, 1, rules, ground, action)
        for _ in range(1, turns):
            if positions.who[1] == NOBODY:
                break
            drive_at_random(racer, rules, ground)
        worth = -float(cars[1, me, COST])
        for other in range(cars.shape[1]):
            if other != me:
                worth += racer.spite * min(cars[1, other, COST], cars[1, me, COST] + 50)
        total += worth
    return total / racer.times


@inner
def drive_at_random(racer, rules, ground):
    """Play a random action among those that cost the fewest steps."""
    positions = racer.positions
    car = positions.cars[1, positions.who[1]]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    free = free_best(positions, 1, codes)
    if free == 0:
        play_here(positions, 1, rules, ground, random_best(racer, rules, ground))
        return
    action = NTH_BIT[free, roll(racer.rng[0], BITS_SET[free])]
    drive(car, rules, ground, codes, action)
    pass_turn(positions, 1)


@rare
def random_best(racer, rules, ground):
    """Return a random action among those that cost the fewest steps."""
    positions = racer.positions
    car = positions.cars[1, positions.who[1]]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    least, equal = np.int64(1 << 40), 0
    for action in range(rulebook.ACTIONS):
        if is_free(positions, 1, codes, action):
            rank = rank_of(car, codes, rules, ground, action)
            if rank < least:
                least, equal = rank, 0
            equal += rank == least
    chosen = roll(racer.rng[0], max(equal, 1))
    for action in range(rulebook.ACTIONS):
        if is_free(positions, 1, codes, action) and rank_of(car, codes, rules, ground, action) == least:
            if chosen == 0:
                return action
            chosen -= 1
    return rulebook.KEEP

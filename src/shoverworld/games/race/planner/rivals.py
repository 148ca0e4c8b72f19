"""Look ahead in a race with several cars by playing moves according to the rules.

A car is evaluated by the number of steps in which it is expected to finish: its steps so far plus the minimum number of
moves from its state (values.py). `weigh` evaluates the next move of one car as if the car were alone afterwards.
`look_ahead` searches turn by turn: every car chooses what is best for itself, which means few steps for itself and,
with a small weight, many steps for the other cars. As a result, a car takes a cell that another car needs, and avoids
positions that could leave it without a legal move.
"""

from typing import NamedTuple

import numpy as np

from shoverworld.core.grid import roll
from shoverworld.core.jit import inner, kernel, rare

from .. import rules as rulebook
from ..reasons import FINE
from ..state import PLAYING, RaceState, new_state
from .values import FAR, moves_left

NEVER = 1 << 40  # the cost of an illegal move
DOOMED = 1 << 30  # added to the cost of a move after which no sequence of legal moves leads to the finish
LOST = 100_000  # assumed number of moves if the finish is unreachable


@inner
def steps_to_go(table, rules, row, col, drow, dcol):
    """Return the minimum number of moves from this state to the finish, or an estimate if a crash is unavoidable."""
    moves = moves_left(table, row, col, drow, dcol)
    if moves < FAR:
        return moves
    at_rest = moves_left(table, row, col, 0, 0)
    return 2 + rules.penalty + (at_rest if at_rest < FAR else LOST)


@inner
def cost_of(state, i, rules, table, who, action):
    """Return the number of steps in which car `who` can finish if it takes this action, or NEVER if the action is illegal.

    An action that makes a crash unavoidable costs more than any number of legal moves.
    """
    row, col = rulebook.landing_cell(state.cars[i, who], action)
    if rulebook.fault_of(state, i, rules, who, row, col) != FINE:
        return NEVER
    if rulebook.finishes(state, i, rules, who, row, col):
        return 1
    car = state.cars[i, who]
    drow, dcol = row - car.row, col - car.col
    doomed = DOOMED if moves_left(table, row, col, drow, dcol) >= FAR else 0
    return 1 + doomed + steps_to_go(table, rules, row, col, drow, dcol)


@kernel
def weigh(state, i, rules, table, costs):
    """Write the cost of each action for the car whose turn it is."""
    for action in range(rulebook.ACTIONS):
        costs[action] = cost_of(state, i, rules, table, state.game[i].turn, action)


@kernel
def weigh_by_zombie(state, i, rules, costs):
    """Write the zombie distance of each action's landing cell: 0 if the car finishes, NEVER for an illegal action."""
    who, bank = state.game[i].turn, state.bank
    for action in range(rulebook.ACTIONS):
        row, col = rulebook.landing_cell(state.cars[i, who], action)
        costs[action] = NEVER
        if rulebook.fault_of(state, i, rules, who, row, col) == FINE:
            far = bank.distance[state.game[i].track, row * bank.cols + col]
            costs[action] = far if far >= 0 else LOST
            if rulebook.finishes(state, i, rules, who, row, col):
                costs[action] = 0


class LookaheadTree(NamedTuple):
    """Scratch memory for the lookahead, with one row per turn."""

    state: RaceState  # the game after each turn
    order: np.ndarray  # int64 (turns, 9): the actions to try, best first
    costs: np.ndarray  # int64 (turns, 9): the costs of these actions
    count: np.ndarray  # int64 (turns,): the number of actions to try
    tried: np.ndarray  # int64 (turns,): the number of actions tried
    worth: np.ndarray  # float64 (turns,): the best value so far for the car whose turn it is
    steps: np.ndarray  # int64 (turns, cars): the estimated steps of each car at the finish, which determine this value
    answer: np.ndarray  # float64 (9,): the value of each action on the first turn; -inf if the action was not tried


def new_tree(state: RaceState, turns: int) -> LookaheadTree:
    turns, cars = max(turns, 2), state.car_count  # `play_on` uses two turns and one additional row
    return LookaheadTree(
        new_state(turns + 1, cars, state.bank), np.zeros((turns, 9), np.int64), np.zeros((turns, 9), np.int64),
        np.zeros(turns, np.int64), np.zeros(turns, np.int64), np.zeros(turns + 1),
        np.zeros((turns + 1, cars), np.int64), np.zeros(9),
    )  # fmt: skip


@kernel
def look_ahead(tree, rules, table, turns, width, spite):
    """Write `tree.answer` for the game in the first row of the tree.

    `width[c]` limits the number of actions tried for car c, except on the first turn. `spite` is the value of one
    additional step by another car, relative to one step by the car itself.
    """
    state = tree.state
    tree.answer[:] = -np.inf
    turn = 0
    open_turn(tree, rules, table, 0, 9)
    while True:
        if tree.tried[turn] < tree.count[turn]:
            action = tree.order[turn, tree.tried[turn]]
            tree.tried[turn] += 1
            copy_row(state, turn)
            rulebook.step(state, turn + 1, rules, action)
            turn += 1
            if turn < turns and state.game[turn].outcome == PLAYING:
                open_turn(tree, rules, table, turn, width[state.game[turn].turn])
                continue
            estimate_steps(tree, rules, table, turn)
        elif turn == 0:
            return
        turn -= 1
        back_up(tree, turn, spite)


@rare
def open_turn(tree, rules, table, turn, width):
    """List the actions worth trying, cheapest first. A car without a legal move keeps its velocity and crashes."""
    state, costs, order = tree.state, tree.costs, tree.order
    who = state.game[turn].turn
    count = 0
    for action in range(rulebook.ACTIONS):
        cost = cost_of(state, turn, rules, table, who, action)
        if cost == NEVER:
            continue
        place = count
        while place > 0 and costs[turn, place - 1] > cost:
            costs[turn, place], order[turn, place] = costs[turn, place - 1], order[turn, place - 1]
            place -= 1
        costs[turn, place], order[turn, place] = cost, action
        count += 1
    while count > 1 and costs[turn, count - 1] >= DOOMED and costs[turn, 0] < DOOMED:
        count -= 1
    if count == 0:
        order[turn, 0], count = rulebook.KEEP, 1
    tree.count[turn], tree.tried[turn], tree.worth[turn] = min(count, width), 0, -np.inf


@inner
def copy_row(state, turn):
    state.game[turn + 1] = state.game[turn]
    for who in range(state.cars.shape[1]):
        state.cars[turn + 1, who] = state.cars[turn, who]


@rare
def estimate_steps(tree, rules, table, turn):
    """Estimate how many steps each car will have taken when it finishes."""
    for who in range(tree.steps.shape[1]):
        car = tree.state.cars[turn, who]
        tree.steps[turn, who] = car.steps
        if car.place == 0:
            left = steps_to_go(table, rules, car.row, car.col, car.drow, car.dcol)
            tree.steps[turn, who] += car.wait + left


@inner
def worth_of(tree, turn, who, spite):
    """Return the value of a result for one car. A lead over another car counts as at most 50 steps."""
    worth = -float(tree.steps[turn, who])
    for other in range(tree.steps.shape[1]):
        if other != who:
            worth += spite * min(tree.steps[turn, other], tree.steps[turn, who] + 50)
    return worth


@rare
def back_up(tree, turn, spite):
    """Evaluate the action just tried, and keep the result if it is the best so far for the car whose turn it is."""
    who, cars = tree.state.game[turn].turn, tree.steps.shape[1]
    worth = worth_of(tree, turn + 1, who, spite)
    if turn == 0:
        tree.answer[tree.order[0, tree.tried[0] - 1]] = worth
    if worth > tree.worth[turn]:
        tree.worth[turn] = worth
        for other in range(cars):
            tree.steps[turn, other] = tree.steps[turn + 1, other]


@kernel
def play_on(tree, rules, table, turns, times, spite):
    """Replace each finite value in `tree.answer` with the average result of `times` random playouts of `turns` turns.

    In a playout, every car drives as if it were alone and chooses at random among the moves with the lowest cost.
    """
    state = tree.state
    who, rng = state.game[0].turn, state.game[2]
    state.game[2] = state.game[0]  # a copy of the game's random number generator
    for action in range(rulebook.ACTIONS):
        if tree.answer[action] == -np.inf:
            continue
        total = 0.0
        for _ in range(times):
            copy_row(state, 0)
            chosen, turn = action, 0
            while True:
                rulebook.step(state, 1, rules, chosen)
                turn += 1
                if turn == turns or state.game[1].outcome != PLAYING:
                    break
                open_turn(tree, rules, table, 1, 9)
                equal = 1
                while equal < tree.count[1] and tree.costs[1, equal] == tree.costs[1, 0]:
                    equal += 1
                chosen = tree.order[1, roll(rng, equal)]
            estimate_steps(tree, rules, table, 1)
            total += worth_of(tree, 1, who, spite)
        tree.answer[action] = total / times

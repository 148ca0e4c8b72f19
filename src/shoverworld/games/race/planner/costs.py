"""The cost of a move: the number of steps in which a car finishes if it drives on alone, or its zombie distance."""

from shoverworld.core.jit import inner, kernel

from .. import rules as rulebook
from ..reasons import FINE
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

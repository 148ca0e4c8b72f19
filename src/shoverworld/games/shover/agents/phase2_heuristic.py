"""The heuristic of the Phase 2 report: h = h_kill + beta * h_jam + h_misc + h_sq, lower is better.

Every part looks at many games at once and gives a number for each: `games.board` is (games, cells of the framed board).
"""

import numpy as np

from shoverworld.core.checks import number
from shoverworld.core.errors import ConfigError

from ..config import Rules, ShoverRuleNumbers
from ..measure import NO_WAY, boxes_on, pushes_to_lava, steps_to_helpful_push
from ..state import BARRIER, EXHAUSTED, State

STAMINA_SHARE = 0.1  # of a step: what the stamina of one push from rest counts for


def distance_field(games: State, rules: ShoverRuleNumbers) -> np.ndarray:
    """d(b, p) for a box on any cell: the pushes to the nearest kill position, by breadth-first search over the grid.

    L . . #        0 1        Barriers are obstacles, boxes are not. NO_WAY where there is no way to a kill
    . # . .  ->  0   2 3      position. (On lava itself it is -1: no box ever lies there.)
    """
    pushes = pushes_to_lava(games, rules)
    return np.where(pushes < NO_WAY, pushes - 1, NO_WAY)


def kill_positions(games: State, rules: ShoverRuleNumbers) -> np.ndarray:
    """The cells next to lava: one push burns a box that lies there. Beyond the edge is lava too, if the rules say so."""
    return distance_field(games, rules) == 0


def h_kill(games: State, distance: np.ndarray) -> np.ndarray:
    """Over all boxes, the sum of the distances to the nearest kill position; a box with no way counts as far away."""
    return np.where(boxes_on(games.board), np.minimum(distance, far_away(games)), 0).sum(axis=1)


def far_away(games: State) -> int:
    """Rows plus columns: further than all but the most winding ways."""
    return games.width - 2 + games.board.shape[1] // games.width - 2


def h_jam(games: State) -> np.ndarray:
    """How many boxes are jammed: barriers or other boxes on all four sides."""
    board = games.board.reshape(len(games.board), -1, games.width)
    box = boxes_on(board)
    blocked = box | (board == BARRIER)
    sides = blocked[:, :-2, 1:-1] & blocked[:, 2:, 1:-1] & blocked[:, 1:-1, :-2] & blocked[:, 1:-1, 2:]
    return (box[:, 1:-1, 1:-1] & sides).sum(axis=(1, 2))


def h_misc(games: State, rules: ShoverRuleNumbers, walk: np.ndarray | None = None) -> np.ndarray:
    """What tips the balance: to remove a box now is better, and to save stamina a little.

    A box on a kill position is at distance 0 and still takes a push, so each box left counts 1. A walker's way to the
    next push that helps counts too, and each box left as much as the longest of those ways: or else he would put off
    the last push because the next box is far away.
    """
    boxes = games.game["boxes"]
    spent = np.maximum(0.0, rules.initial_stamina - games.game["stamina"])
    misc = boxes + STAMINA_SHARE * spent / max(1.0, rules.initial_force + rules.unit_force)
    if walk is None:
        return misc
    far = far_away(games)
    return misc + boxes * far + np.where(boxes > 0, np.minimum(walk, far), 0)


def h_sq(games: State, alpha: float) -> np.ndarray:
    """The largest perfect square there is makes a board more attractive: -alpha * n * n."""
    largest = games.squares["n"].max(axis=1).astype(np.float64)
    return -alpha * largest * largest


class Heuristic:
    """h for these rules: `Heuristic(rules)(games)` is an array with one number for each game."""

    def __init__(self, rules: Rules, alpha: float = 0.5, beta: float = 2.0):
        self.rules = rules.numbers()
        self.walks = rules.actor == "walk"
        self.alpha = number("alpha", alpha, at_least=0)
        self.beta = number("beta", beta, at_least=0)
        if self.alpha > 1:
            raise ConfigError(f"alpha={alpha!r}: must be from 0 to 1, or a square makes h negative")

    def __call__(self, games: State) -> np.ndarray:
        pushes = pushes_to_lava(games, self.rules)
        distance = np.where(pushes < NO_WAY, pushes - 1, NO_WAY)
        walk = steps_to_helpful_push(games, pushes) if self.walks else None
        h = h_kill(games, distance) + self.beta * h_jam(games) + h_misc(games, self.rules, walk)
        h += h_sq(games, self.alpha)
        h[games.game["outcome"] == EXHAUSTED] = np.inf  # lost
        return h

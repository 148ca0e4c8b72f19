"""The heuristic from the Phase 2 report: h = h_kill + beta * h_jam + h_misc + h_sq. Lower is better.

Each function computes one part of h for many games at once and returns one number per game. The shape of `games.board`
is (games, cells of the framed board).
"""

import numpy as np

from shoverworld.core.checks import number
from shoverworld.core.errors import ConfigError

from ..config import Rules, ShoverRuleNumbers
from ..measure import NO_WAY, boxes_on, pushes_to_lava, steps_to_helpful_push
from ..state import BARRIER, EXHAUSTED, State

STAMINA_SHARE = 0.1  # the weight, in steps, of the stamina that one push from rest costs


def distance_field(games: State, rules: ShoverRuleNumbers) -> np.ndarray:
    """Return d(b, p) from the Phase 2 report: the number of pushes from each cell to the nearest kill position.

    L . . #        0 1        Barriers are obstacles, but boxes are not. The value is NO_WAY if no path leads to a
    . # . .  ->  0   2 3      kill position. (The value of a lava cell is -1, but a box is never on lava.)

    The distances are found by breadth-first search over the grid.
    """
    pushes = pushes_to_lava(games, rules)
    return np.where(pushes < NO_WAY, pushes - 1, NO_WAY)


def kill_positions(games: State, rules: ShoverRuleNumbers) -> np.ndarray:
    """Return a mask of the kill positions: cells next to lava or a lava edge, from which one push burns a box."""
    return distance_field(games, rules) == 0


def h_kill(games: State, distance: np.ndarray) -> np.ndarray:
    """Return the sum, over all boxes, of the distance to the nearest kill position, capped at `far_away`."""
    return np.where(boxes_on(games.board), np.minimum(distance, far_away(games)), 0).sum(axis=1)


def far_away(games: State) -> int:
    """Return the number of rows plus the number of columns. Almost every path to lava is shorter than this."""
    return games.width - 2 + games.board.shape[1] // games.width - 2


def h_jam(games: State) -> np.ndarray:
    """Return the number of jammed boxes, that is, boxes with barriers or other boxes on all four sides."""
    board = games.board.reshape(len(games.board), -1, games.width)
    box = boxes_on(board)
    blocked = box | (board == BARRIER)
    sides = blocked[:, :-2, 1:-1] & blocked[:, 2:, 1:-1] & blocked[:, 1:-1, :-2] & blocked[:, 1:-1, 2:]
    return (box[:, 1:-1, 1:-1] & sides).sum(axis=(1, 2))


def h_misc(games: State, rules: ShoverRuleNumbers, walk: np.ndarray | None = None) -> np.ndarray:
    """Return the tie-breakers. They favour removing a box now and, with a small weight, saving stamina.

    A box on a kill position has distance 0 but still needs a push, so each remaining box counts as 1. For a walker, the
    length of the path to the next helpful push also counts. That length is capped at `far_away`, and each remaining
    box adds `far_away` as well. Otherwise, an agent would delay the last push of a box if the next box were far away.
    """
    boxes = games.game["boxes"]
    spent = np.maximum(0.0, rules.initial_stamina - games.game["stamina"])
    misc = boxes + STAMINA_SHARE * spent / max(1.0, rules.initial_force + rules.unit_force)
    if walk is None:
        return misc
    far = far_away(games)
    return misc + boxes * far + np.where(boxes > 0, np.minimum(walk, far), 0)


def h_sq(games: State, alpha: float) -> np.ndarray:
    """Return the bonus for the largest perfect square on the board, which is -alpha * n * n for an n x n square."""
    largest = games.squares["n"].max(axis=1).astype(np.float64)
    return -alpha * largest * largest


class Heuristic:
    """The heuristic h for given rules. `Heuristic(rules)(games)` returns an array with one number for each game."""

    def __init__(self, rules: Rules, alpha: float = 0.5, beta: float = 2.0):
        self.rules = rules.numbers()
        self.walks = rules.actor == "walk"
        self.alpha = number("alpha", alpha, at_least=0)
        self.beta = number("beta", beta, at_least=0)
        if self.alpha > 1:
            raise ConfigError(f"alpha={alpha!r}: must be between 0 and 1; otherwise, a square can make h negative")

    def __call__(self, games: State) -> np.ndarray:
        pushes = pushes_to_lava(games, self.rules)
        distance = np.where(pushes < NO_WAY, pushes - 1, NO_WAY)
        walk = steps_to_helpful_push(games, pushes) if self.walks else None
        h = h_kill(games, distance) + self.beta * h_jam(games) + h_misc(games, self.rules, walk)
        h += h_sq(games, self.alpha)
        h[games.game["outcome"] == EXHAUSTED] = np.inf  # the game is lost
        return h

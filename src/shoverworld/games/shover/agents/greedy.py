"""The greedy agent, which looks one step ahead."""

import math
from collections import Counter
from typing import Any

import numpy as np

from ..maps import Map
from ..problem import Action, Position, ShoverProblem
from ..state import EMPTY
from .phase2_heuristic import Heuristic
from .phase2_squares import SubGoal


class GreedyAgent:
    """An agent that looks one step ahead.

    The agent prefers the boards that have occurred least often in this game, so it does not keep repeating the same
    moves. Among these boards, it prefers those with fewer boxes than the current board, and among those, the board with
    the lowest h. The seed determines how ties are broken.
    """

    def __init__(self, env: Any, seed: int | None = None, alpha: float = 0.5, beta: float = 2.0):
        self.env = env.unwrapped
        self.heuristic = Heuristic(self.env.rules, alpha, beta)
        self.rng = np.random.default_rng(seed)
        self.reset({})
        # Compile everything now, so that compilation does not count as thinking time.
        ready = ShoverProblem.of_map(Map.parse("A.BB\n..BB\nL..."), self.env.rules)
        self.heuristic(ready.start().state)
        ready.successors(ready.start())

    def reset(self, info: dict[str, Any]) -> None:
        self.seen: Counter[bytes] = Counter()  # the number of times that each board has occurred in this game
        self.invalid: set[Action] = set()  # actions that were invalid on the current board
        self.last: Action | None = None
        self.layout = b""

    def act(self, obs: dict[str, Any], info: dict[str, Any]) -> Action:
        problem = self.look(info)
        return self.choose(problem.start(), self.options(problem))

    def look(self, info: dict[str, Any]) -> SubGoal:
        """Return the problem for the current board. Remember the board, and the last action if it was invalid."""
        problem = SubGoal(self.env.get_state(), self.env.rules, self.heuristic)
        layout = problem.start().layout
        if layout != self.layout:
            self.invalid.clear()
            self.layout = layout
            self.seen[layout] += 1
        elif self.last is not None and not info["last_action_valid"]:
            self.invalid.add(self.last)
        return problem

    def options(self, problem: SubGoal) -> dict[Action, Position]:
        """Return the useful actions that do not lose the game immediately, with the resulting positions."""
        found = {action: child for action, child, _ in problem.successors(problem.start())}
        return {a: child for a, child in found.items() if a not in self.invalid and child.estimate < math.inf}

    def choose(self, here: Position, options: dict[Action, Position]) -> Action:
        """Return the best of these actions. If there are no options, return a waiting action."""

        def rank(choice: tuple[Action, Position]) -> tuple:
            _, after = choice
            return self.seen[after.layout], after.boxes >= here.boxes, after.estimate

        if not options:
            return self.played(self.wait())
        choices = list(options.items())
        ranks = [rank(choice) for choice in choices]
        best = [action for (action, _), r in zip(choices, ranks, strict=True) if r == min(ranks)]
        return self.played(best[self.rng.integers(len(best))])

    def played(self, action: Action) -> Action:
        self.last = action
        return action

    def wait(self) -> Action:
        """Return a waiting action: the no-op or a leap to an empty cell.

        If neither is possible, return an invalid action, preferably one that has not been tried on this board.
        """
        rules, grid = self.env.rules, self.env.observe()[0]["grid"]
        if rules.noop:
            return 0, 0, rules.first_z
        empty = np.argwhere(grid == EMPTY).tolist()
        if rules.actor == "leap" and empty:
            row, col = empty[0]
            return row, col, rules.z_base
        actions = np.argwhere(~self.env.action_mask().reshape(*grid.shape, rules.z_count)).tolist()
        harmless = [(row, col, rules.first_z + z) for row, col, z in actions]
        fresh = [action for action in harmless if action not in self.invalid]
        if not fresh:
            self.invalid.clear()
        return (fresh or harmless)[0]

"""The planner with the policy as the order of its searches for plans. Its proofs are those of the planner."""

import numpy as np

from ..config import ShoverRuleNumbers
from ..planner.heuristic import Weights
from ..planner.layers import STEPS, Outcome, Solution
from ..planner.solver import ShoverSolver, perturbed
from ..state import State
from .guided import GuidedSearcher


class GuidedSolver(ShoverSolver):
    """A solver whose searches for short plans follow a policy."""

    searcher: GuidedSearcher

    def __init__(self, start: State, rules: ShoverRuleNumbers, objective: int, memory: int, table: np.ndarray):
        super().__init__(start, rules, objective, memory)
        self.searcher = GuidedSearcher(start, rules, memory, table)

    def _warm_up(self) -> None:
        self.searcher.guided(self.start, 1, self.steps_so_far, lambda: False)
        super()._warm_up()

    def _search_from_start(self, width: int, weights: Weights) -> None:
        if self.objective != STEPS or self.best is None:
            super()._search_from_start(width, weights)
            return
        self._keep(self.searcher.guided(self.start, width, self.most_steps, self.stop, weights), np.zeros(0, np.int64))

    def _improve_end(self, width: int, weights: Weights) -> None:
        if self.objective != STEPS or self.best is None or len(self.best.moves) < 4:
            super()._improve_end(width, weights)
            return
        first = self.best.moves[: int(self.rng.integers(1, len(self.best.moves) - 2))]
        start = self.searcher.after(first)
        self._keep(
            self.searcher.guided(start, 2 * width, self.most_steps, self.stop, perturbed(weights, self.rng)), first
        )

    def _keep(self, found: Solution | None, first: np.ndarray) -> None:
        """Keep a plan if it is better. A guided search is never complete, so it proves nothing."""
        self._keep_if_better(Outcome(found, False), first)

"""The shortest plan within a limit, from searches with and without the policy."""

import time

import numpy as np

from ..planner.expansion import STEPS
from ..planner.heuristic import FOR_STEPS, Weights
from ..planner.searcher import Solution
from .guided import GuidedSearcher

FIRST_WIDTH = 8
_SHARE = 0.5  # of the remaining work for the search with the policy, and then for the first wide search without it
_LATER_SHARE = 0.9  # of the remaining work for each further search


def best_plan(searcher: GuidedSearcher, most_steps: int, expansions: int, seconds: float = np.inf) -> Solution | None:
    """Return the shortest plan found with this many expansions and seconds, or None.

    Narrow searches with the planner's heuristic find a first plan, and the weights that suit the map. One wide search
    with the policy follows, and then wide searches without it.
    """
    portfolio = Portfolio(searcher, most_steps, expansions, seconds)
    weights = portfolio.choose_weights()
    share, turn = _SHARE, 0
    if seconds < np.inf and not portfolio.stop():
        portfolio.measure_guided()
    if not portfolio.stop():
        portfolio.search_guided(_SHARE)
    while not portfolio.stop():
        portfolio.search_plain(portfolio.width(share, portfolio.rate), weights[turn % len(weights)])
        share, turn = _LATER_SHARE, turn + 1
    return portfolio.best


class Portfolio:
    """The best plan so far, and the remaining work."""

    def __init__(self, searcher: GuidedSearcher, most_steps: int, expansions: int, seconds: float):
        self.searcher, self.most_steps = searcher, most_steps
        self.expansions, self.seconds = expansions, seconds
        self.best: Solution | None = None
        self.proved = False  # whether no plan is better than `best`
        self.layers = 1.0  # of a search: the number of moves of the best plan, or what the last search reached
        self.began = time.perf_counter()
        self.rate = np.inf  # expansions per second without the policy
        self.guided_rate = np.inf  # and with it

    def stop(self) -> bool:
        late = time.perf_counter() - self.began > self.seconds
        return late or self.proved or self.searcher.expanded >= self.expansions

    def width(self, share: float, rate: float) -> int:
        """Return the width of a search that takes a share of the remaining work. rate: its expansions per second."""
        left = float(self.expansions - self.searcher.expanded)
        if self.seconds < np.inf:
            left = min(left, rate * (self.seconds - (time.perf_counter() - self.began)))
        return max(2 * FIRST_WIDTH, int(share * left / self.layers))

    def choose_weights(self) -> list[Weights]:
        """Make a narrow search with each set of weights. Return the sets, those with the shortest plans first."""
        steps, before = [], self.searcher.expanded
        for weights in FOR_STEPS:
            found = None if self.stop() else self.search_plain(FIRST_WIDTH, weights, improve=False)
            steps.append(np.inf if found is None else found.steps)
        self.rate = (self.searcher.expanded - before) / max(1e-6, time.perf_counter() - self.began)
        return [FOR_STEPS[k] for k in np.argsort(steps, kind="stable")]

    def measure_guided(self) -> None:
        """Begin a narrow search with the policy to measure how long its expansions take: on some maps five times as long
        as those without the policy, on others nine times as long.
        """
        began, before = time.perf_counter(), self.searcher.expanded
        self.searcher.guided(self.searcher.start, FIRST_WIDTH, self._limit(), lambda: True)
        self.guided_rate = (self.searcher.expanded - before) / max(1e-6, time.perf_counter() - began)

    def search_guided(self, share: float) -> None:
        width, before = self.width(share, self.guided_rate), self.searcher.expanded
        self._keep(self.searcher.guided(self.searcher.start, width, self._limit(), self.stop), width, before)

    def search_plain(self, width: int, weights: Weights, improve: bool = True) -> Solution | None:
        """Search without the policy. If `improve` is false, plans that are longer than the best one also count."""
        limit, before = self._limit() if improve else self.most_steps, self.searcher.expanded
        found, self.proved = self.searcher.search(
            self.searcher.start, width, STEPS, limit, -np.inf, weights, False, self.stop
        )
        self._keep(found, width, before)
        return found

    def _limit(self) -> int:
        return self.most_steps if self.best is None else self.best.steps - 1

    def _keep(self, found: Solution | None, width: int, before: int) -> None:
        if found is not None and (self.best is None or found.steps < self.best.steps):
            self.best = found
        layers = (self.searcher.expanded - before) / width
        self.layers = max(1.0, layers if self.best is None else len(self.best.moves))

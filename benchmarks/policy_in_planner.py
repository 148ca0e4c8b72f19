"""The planner of Shover-World with and without searches with the learned policy, on random boards.

python benchmarks/policy_in_planner.py phase2 --boards 100 --seconds 1.5
python benchmarks/policy_in_planner.py phase2 --boards 25 --ways plain --seconds 1.5 12    what more time gains

The ways to use the policy:
first    the policy's search of `learned-search` has a share of the time; the planner continues with its plan
wide     after the planner's choice of weights, one search with the policy, as wide as the share of the time allows

Both ways keep the planner's proofs. Time is processor time. All planners take turns on each board.
"""

import argparse
import time

import numpy as np
from learn_shover import BOARDS, MEMORY, ProcessorClock

from shoverworld.games.shover.generate import random_map
from shoverworld.games.shover.planner import solver
from shoverworld.games.shover.planner.expansion import STEPS
from shoverworld.games.shover.planner.heuristic import Weights
from shoverworld.games.shover.planner.searcher import Outcome
from shoverworld.games.shover.planner.solver import ShoverSolver
from shoverworld.games.shover.policy import portfolio
from shoverworld.games.shover.policy.guided import GuidedSearcher
from shoverworld.games.shover.policy.learning import level_of
from shoverworld.games.shover.policy.portfolio import best_plan
from shoverworld.games.shover.policy.teacher import ShoverLevel
from shoverworld.learn import packaged_model

NOTHING = np.zeros(0, np.int64)


class First(ShoverSolver):
    """Starts with the plan of `learned-search`."""

    share = 0.3

    def __init__(self, level: ShoverLevel):
        super().__init__(level.start, level.rules.numbers(), STEPS, MEMORY)
        self.guided = GuidedSearcher(level.start, level.rules.numbers(), MEMORY, packaged_model("shover").table)
        self.searcher = self.guided

    def _warm_up(self) -> None:
        self.guided.guided(self.start, 1, 1, lambda: False)
        super()._warm_up()

    def _choose_portfolio(self, width: int) -> list[Weights]:
        seconds = self.share * (self.deadline - self.began)
        found = best_plan(self.guided, self.rules.max_timestep, 1 << 40, seconds)
        self._keep_if_better(Outcome(found, False), NOTHING)
        return super()._choose_portfolio(width)


class Wide(First):
    share = 0.5

    def _choose_portfolio(self, width: int) -> list[Weights]:
        weights = ShoverSolver._choose_portfolio(self, width)
        if not self.is_done():
            before, began = self.searcher.expanded, time.process_time()
            self.guided.guided(self.start, width, self.most_steps, lambda: True)  # measures the rate
            now = time.process_time()
            rate = (self.searcher.expanded - before) / (now - began)
            layers = 25 if self.best is None else len(self.best.moves)
            width = max(width, int(rate * self.share * (self.deadline - now) / layers))
            found = self.guided.guided(self.start, width, self.most_steps, self.stop)
            self._keep_if_better(Outcome(found, False), NOTHING)
        return weights


class Result:
    """The steps and proofs of one planner on all boards."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.proved: list[bool] = []

    def line(self, name: str, other: "Result") -> str:
        mine, theirs = (np.where(np.array(one.steps) > 0, one.steps, 10**6) for one in (self, other))
        both = (mine < 10**6) & (theirs < 10**6)
        means = [f"{steps[both].mean():.2f}" if both.any() else "-" for steps in (mine, theirs)]
        lost = int((np.array(other.proved) & ~np.array(self.proved)).sum())
        cells = [
            name,
            len(mine),
            int((mine < 10**6).sum()),
            *means,
            int((mine < theirs).sum()),
            int((mine > theirs).sum()),
        ]
        return f"| {' | '.join(map(str, [*cells, sum(self.proved), lost]))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = {"plain": None, "first": First, "wide": Wide}
    parser.add_argument("preset", choices=list(BOARDS))
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first board (default: 0)")
    parser.add_argument("--boxes", type=int, help="boxes on each board (default: those of the other benchmark)")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.5], help="time limits per board")
    parser.add_argument("--ways", nargs="+", choices=list(ways), default=list(ways))
    chosen = parser.parse_args()
    solver.time = portfolio.time = ProcessorClock  # type: ignore[assignment]
    numbers = BOARDS[chosen.preset] | ({} if chosen.boxes is None else {"number_of_boxes": chosen.boxes})
    results = {(way, limit): Result() for limit in chosen.seconds for way in chosen.ways}
    for seed in range(chosen.first, chosen.first + chosen.boards):
        level = level_of(random_map(seed, rules=chosen.preset, **numbers))
        for (way, limit), result in results.items():
            kind = ways[way]
            one = ShoverSolver(level.start, level.rules.numbers(), STEPS, MEMORY) if kind is None else kind(level)
            one.run(limit)
            result.steps.append(-1 if one.best is None else one.best.steps)
            result.proved.append(one.proved)
    print("| planner | boards | cleared | mean steps | of the first planner | fewer | more | proofs | proofs lost |")
    print("|---|---|---|---|---|---|---|---|---|")
    reference = next(iter(results.values()))
    for (way, limit), result in results.items():
        print(result.line(f"{way}, {limit:g} s", reference))


if __name__ == "__main__":
    main()

"""Compare the planner with textbook A* on the same boards in one run: `python benchmarks/planner.py`.

The first part measures successors per second (generated, hashed and looked up) on one core, for the planner,
for textbook A* with compiled rules, and for textbook A* with the same rules as plain Python. All three are measured in
every round, so that they run under the same load. The second part measures the time to a proven optimum.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
COUNTS = {"number_of_boxes": 20, "number_of_barriers": 12, "number_of_lavas": 6}
RULES = "phase2"


def board(seed: int, counts: dict):
    from shoverworld.games.shover.env import ShoverWorldEnv

    env = ShoverWorldEnv(rules=RULES, **counts)
    env.reset(seed=seed)
    return env.get_state(), env.rules


def planner_rate(seeds: range, seconds: float) -> float:
    """Return the number of successors per second over all boards, with repeated searches of width 256."""
    from shoverworld.games.shover.planner.expansion import STEPS
    from shoverworld.games.shover.planner.heuristic import FOR_STEPS
    from shoverworld.games.shover.planner.searcher import Searcher

    tried, spent = 0, 0.0
    for seed in seeds:
        start, rules = board(seed, COUNTS)
        searcher = Searcher(start, rules.numbers(), 256 << 20)
        for width in (1, 256):  # the first width is only a warm-up
            before, began = searcher.tried, time.perf_counter()
            until = began + seconds / len(seeds)
            while time.perf_counter() < until:
                searcher.search(
                    start,
                    width,
                    STEPS,
                    400,
                    -np.inf,
                    FOR_STEPS[0],
                    False,
                    lambda until=until: time.perf_counter() > until,
                )
            if width > 1:
                tried += searcher.tried - before
                spent += time.perf_counter() - began
    return tried / spent


def textbook_rate(seeds: range, seconds: float) -> float:
    """Return the number of successors per second for textbook A*."""
    from shoverworld.games.shover.problem import ShoverProblem
    from shoverworld.search import Budget, astar

    generated, spent = 0, 0.0
    for seed in seeds:
        problem = ShoverProblem(*board(seed, COUNTS))
        problem.successors(problem.start())
        result = astar(problem, Budget(seconds=seconds / len(seeds)))
        generated += result.generated
        spent += result.seconds
    return generated / spent


def plain_rate(seconds: float) -> float:
    """Return the number of successors per second for textbook A* in a process without compilation."""
    code = f"from benchmarks.planner import textbook_rate; print(textbook_rate(range(2), {seconds}))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(run.stdout)


def answers(seeds: range, patience: float) -> list[tuple[str, int, float, float, bool]]:
    """For boards with few boxes, return the name, the steps, both times, and whether A* finished."""
    from shoverworld.games.shover.planner import solve
    from shoverworld.games.shover.problem import ShoverProblem
    from shoverworld.search import Budget, astar

    found = []
    for name, (start, rules) in _proof_boards(seeds):
        plan = solve(start, rules, time_limit=60)
        if not plan.proved_optimal:
            continue
        result = astar(ShoverProblem(start, rules), Budget(seconds=patience))
        if result.solved and len(result.actions) != plan.steps:
            raise AssertionError(f"{name}: A* found {len(result.actions)} steps, the planner {plan.steps}")
        found.append((name, plan.steps, plan.seconds, result.seconds, result.solved))
    return found


def _proof_boards(seeds: range):
    from shoverworld.games.shover.config import Rules
    from shoverworld.games.shover.env import ShoverWorldEnv
    from shoverworld.games.shover.maps import Map

    for boxes in (3, 4, 5):
        for seed in seeds:
            yield f"random {seed}, {boxes} boxes", board(seed, {**COUNTS, "number_of_boxes": boxes})
    for name in ("17-block-3x3", "34-walled-eight"):
        env = ShoverWorldEnv(rules=RULES)
        env.reset(options={"map": Map.read(ROOT / "benchmarks" / "maps" / RULES / f"{name}.txt").with_start()})
        yield name, (env.get_state(), Rules.preset(RULES))


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the planner with textbook A* in one run.")
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="seconds for each rate in a round (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (default: %(default)s)")
    parser.add_argument(
        "--patience", type=float, default=30.0, help="time limit for A* in seconds (default: %(default)s)"
    )
    chosen = parser.parse_args()
    rounds = [
        {
            "planner": planner_rate(range(6), chosen.seconds),
            "textbook A*, compiled rules": textbook_rate(range(6), chosen.seconds),
            "textbook A*, plain Python": plain_rate(chosen.seconds),
        }
        for _ in range(chosen.rounds)
    ]
    print(f"successors per second, one core, 9x13 with {COUNTS['number_of_boxes']} boxes, {RULES}: median (range)")
    for name in rounds[0]:
        rates, ratios = [one[name] for one in rounds], [one["planner"] / one[name] for one in rounds]
        spread = f"({min(rates):,.0f} - {max(rates):,.0f})"
        print(f"  {name:<30}{np.median(rates):>12,.0f}  {spread:<26}{np.median(ratios):>8.1f} x")
    print("seconds to the proven optimum")
    ratios = []
    for name, steps, ours, theirs, finished in answers(range(3), chosen.patience):
        ratios.append(theirs / ours)
        shown = f"{theirs:9.2f}" if finished else f"> {theirs:7.2f}"
        print(
            f"  {name:<24}{steps:>4} steps  planner {ours:8.3f}   A* {shown}   {'' if finished else '> '}{ratios[-1]:,.0f} x"
        )
    print(f"  median {np.median(ratios):,.0f} x")


if __name__ == "__main__":
    main()

"""Compute the fewest steps on every bundled race track and preset, proved by the planner.

The window shows this number as "best possible". Run this script after changing a bundled track:
`python benchmarks/race_best.py`.
"""

import json
import sys
from pathlib import Path

from shoverworld.core.files import write_safely
from shoverworld.games.race.boards import RULES, identity, packaged_boards
from shoverworld.games.race.planner import solve

FILE = Path(__file__).parents[1] / "src/shoverworld/games/race/best.json"


def main() -> int:
    best = {}
    for board in packaged_boards():
        found = {}
        for preset, rules in RULES.items():
            plan = solve(board.level.track, line=rules.line, finish=rules.finish)
            if not plan.proved_optimal:
                print(f"{board.name}, {preset}: {plan.status}", file=sys.stderr)
                return 1
            found[preset] = best[identity(board, preset)] = plan.steps
        print(f"{board.name:24}", *(f"{preset} {steps:3}" for preset, steps in found.items()))
    write_safely(FILE, json.dumps(dict(sorted(best.items())), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

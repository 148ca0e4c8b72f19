"""Compute a fastest run on every bundled race track and preset, proved to be optimal by the planner.

Views show the number of steps as "best possible" and the run as a ghost. Run this script after changing a bundled track:
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
            found[preset] = plan.steps
            best[identity(board, preset)] = [number for cell in plan.positions for number in cell]
        print(f"{board.name:24}", *(f"{preset} {steps:3}" for preset, steps in found.items()))
    lines = [f'"{key}":{json.dumps(run, separators=(",", ":"))}' for key, run in sorted(best.items())]
    write_safely(FILE, "{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

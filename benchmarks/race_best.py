"""The fewest steps on the bundled race tracks under every preset, proved by the planner: what the window calls "best possible".

Run it after a bundled track has changed: python benchmarks/race_best.py
"""

import json
import sys
from pathlib import Path

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
    FILE.write_text(json.dumps(dict(sorted(best.items())), indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

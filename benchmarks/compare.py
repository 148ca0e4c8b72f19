"""Measure Shover-World and its peers in one run: `python benchmarks/compare.py [griddly envpool jumanji gym_sokoban]`.

None of the peers offers Shover-World, so they play Sokoban, which is the most similar game. benchmarks/sokoban.py
compares Sokoban in all packages.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import rounds
from shoverworld.games.shover import bench


def main() -> None:
    chosen = rounds.options("Measure shoverworld and its peers in one run.")
    ours = {
        "single": lambda seconds: bench.single(seconds, **bench.BOARD),
        "batched": lambda seconds: bench.batched(seconds, 8192, 1, False, **bench.BOARD),
    }
    lines = rounds.run(chosen, ours, "9x13, phase2, random pushes of boxes, autoreset")
    rounds.table(lines, {"single": "one env", "batched": "batched"})


if __name__ == "__main__":
    main()

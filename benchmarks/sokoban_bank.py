"""Generate the packaged Sokoban levels: `python benchmarks/sokoban_bank.py [--out FOLDER]`.

Thousands of levels are generated from fixed seeds and solved with a provably minimal number of pushes. The levels of
each kind are ranked by their difficulty for the solver and their number of pushes. A selection of each kind is kept, so
that a set ranges from easy to hard. No level occurs twice, not even rotated or mirrored. This takes about five minutes
on one core.
"""

import argparse
import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from shoverworld.core.ui import count
from shoverworld.games.sokoban.config import SokobanRules
from shoverworld.games.sokoban.formats import write_levels
from shoverworld.games.sokoban.level_sets import FOLDER, SETS
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.lurd_replay import check
from shoverworld.games.sokoban.rooms import RoomGenerator, room_numbers
from shoverworld.games.sokoban.solver import solve

# The kinds of each set: (rows, cols), boxes, levels generated, levels kept, and the part of the ranking to select from,
# where 0 is the easiest level and 1 is the hardest.
KINDS = {
    "tiny": [
        ((5, 6), 1, 60, 8, (0.3, 1.0)),
        ((6, 6), 1, 100, 12, (0.3, 1.0)),
        ((6, 6), 2, 200, 20, (0.2, 1.0)),
        ((6, 7), 2, 200, 20, (0.2, 1.0)),
    ],
    "easy": [
        ((7, 7), 2, 300, 20, (0.5, 1.0)),
        ((7, 8), 2, 300, 20, (0.5, 1.0)),
        ((7, 7), 3, 300, 20, (0.3, 1.0)),
        ((8, 8), 3, 300, 20, (0.3, 0.9)),
    ],
    "medium": [
        ((8, 8), 3, 400, 20, (0.8, 1.0)),
        ((10, 10), 3, 400, 20, (0.6, 1.0)),
        ((9, 9), 4, 400, 20, (0.5, 1.0)),
        ((10, 10), 4, 400, 20, (0.5, 1.0)),
    ],
    "hard": [
        ((10, 10), 4, 5000, 20, (0.985, 1.0)),
        ((10, 10), 5, 4000, 20, (0.985, 1.0)),
        ((13, 11), 4, 3000, 20, (0.98, 1.0)),
        ((13, 11), 5, 3000, 20, (0.98, 1.0)),
        ((13, 13), 5, 2500, 20, (0.98, 1.0)),
    ],
}
SECONDS = 60  # time limit for the solver; a level whose solution is not proved optimal within this time is left out


def trimmed(level: Level) -> Level:
    """Return the level without superfluous rows and columns of walls."""
    rows, cols = np.flatnonzero(~level.walls.all(axis=1)), np.flatnonzero(~level.walls.all(axis=0))
    top, left = rows[0] - 1, cols[0] - 1
    cut = np.s_[top : rows[-1] + 2, left : cols[-1] + 2]
    players = tuple((int(row - top), int(col - left)) for row, col in level.players)
    return replace(level, walls=level.walls[cut], targets=level.targets[cut], boxes=level.boxes[cut], players=players)


def shape(level: Level) -> bytes:
    """Return a key that is equal for a level and all its rotations and reflections."""
    player = np.zeros_like(level.boxes)
    player[level.players[0]] = 1
    board = level.walls + 2 * level.boxes + 4 * level.targets + 8 * player
    turned = [np.rot90(one, turns) for one in (board, board.T) for turns in range(4)]
    return min(bytes(one.shape) + one.tobytes() for one in turned)


def difficulty(plan) -> float:
    return math.log2(1 + plan.expanded) + plan.pushes / 4


def of_kind(size, boxes, made, kept, share, seen, console) -> list[tuple[float, Level, int]]:
    """Return the selected levels of one kind, with their difficulties and pushes."""
    generator = RoomGenerator(room_numbers(SokobanRules(dim_room=size, num_boxes=boxes)))
    found = []
    for seed in track(range(made), f"{size[0]} x {size[1]}, {boxes} boxes", console=console, transient=True):
        level = trimmed(generator.generate(seed).level)
        if (key := shape(level)) in seen:
            continue
        plan = solve(level, "pushes", SECONDS)
        if plan.proved_optimal:
            seen.add(key)
            checked = check(level, plan.lurd)
            assert checked.solved and checked.pushes == plan.pushes
            found.append((difficulty(plan), replace(level, solution=plan.lurd), plan.pushes))
    found.sort(key=lambda one: one[0])
    first, last = (int(part * (len(found) - 1)) for part in share)
    places = np.unique(np.linspace(first, last, kept).round().astype(int))
    return [found[place] for place in places]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--out", type=Path, default=FOLDER, help="the output folder (default: the folder in the package)"
    )
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    seen: set[bytes] = set()
    for name in SETS:
        began = time.perf_counter()
        rooms = [room for kind in KINDS[name] for room in of_kind(*kind, seen, console)]
        rooms.sort(key=lambda one: one[0])
        levels = [
            replace(
                level,
                title=f"{name.capitalize()} {place}",
                author="shoverworld",
                comment=f"{count(pushes, 'push')}, proved optimal",
            )
            for place, (_, level, pushes) in enumerate(rooms, 1)
        ]
        write_levels(chosen.out / f"{name}.xsb", levels)
        spread = f"{min(p for _, _, p in rooms)} to {max(p for _, _, p in rooms)} pushes"
        print(f"{name}: {len(rooms)} levels, {spread}, {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()

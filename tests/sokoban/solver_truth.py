"""Compare the solver with an exhaustive search on many small random levels, under the rules of every variant.

    python -m tests.sokoban.solver_truth 20000

plain and fixed targets: the status, the fewest pushes and the fewest moves must agree.
push & pull: the solver only pushes. It must find a plan if and only if pushes alone suffice, without a claim to be optimal.
two players: the solver moves only one of them. It must find a plan if and only if one player can solve the level while
the other stands still, outside the targets, without a claim to be optimal.

Every plan is replayed: by `solve` under the rules of Sokoban, and here in the environment of the variant.
"""

import random
import sys
from collections import Counter

import numpy as np

from shoverworld.core.errors import UnsolvableError
from shoverworld.core.plan import Plan
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.planning import plan_for
from shoverworld.games.sokoban.solver import solve
from tests.oracles.sokoban_exhaustive import SokobanAnswer, exhaustive

VARIANTS = ("plain", "plain", "fixed", "pull", "two")  # a level with this number modulo 5
LONG = 600.0  # seconds; never reached, because the levels are small


def small_room(seed: int) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the drawing of a random room with one to three boxes and no player, and the cells without boxes."""
    rng = random.Random(seed)
    while True:
        rows, cols = rng.randint(3, 4), rng.randint(3, 5)
        inside = [(row, col) for row in range(1, rows + 1) for col in range(1, cols + 1)]
        walls = set(rng.sample(inside, rng.randint(0, len(inside) // 6)))
        free = [cell for cell in inside if cell not in walls]
        n = rng.choice((1, 2, 2, 2, 3))
        if len(free) >= 2 * n + 2:
            break
    letters = {(row, col): "#" for row in range(rows + 2) for col in range(cols + 2)} | dict.fromkeys(free, " ")
    # Put most boxes away from the walls, so that more levels are solvable.
    open_cells = [cell for cell in free if 1 < cell[0] < rows and 1 < cell[1] < cols]
    boxes = rng.sample(open_cells if len(open_cells) >= n and rng.random() < 0.9 else free, n)
    targets = rng.sample(free, n)
    for cell in boxes:
        letters[cell] = "$"
    for cell in targets:
        letters[cell] = "*" if letters[cell] == "$" else "."
    empty = [cell for cell in free if cell not in boxes]
    rng.shuffle(empty)
    return ["".join(letters[row, col] for col in range(cols + 2)) for row in range(rows + 2)], empty


def drawn(room: list[str], *letters: tuple[tuple[int, int], str]) -> str:
    """Return the room with these letters in these cells; a player on a target becomes a plus."""
    rows = [list(row) for row in room]
    for (row, col), letter in letters:
        rows[row][col] = "+" if letter == "@" and rows[row][col] == "." else letter
    return "\n".join(map("".join, rows))


def numbered(level: Level) -> Level:
    """Return the level with fixed targets; boxes and targets are numbered row by row."""
    tables = []
    for table in (level.targets, level.boxes):
        table = table.copy()
        table[table > 0] = np.arange(1, level.box_count + 1)
        tables.append(table)
    return Level(level.walls, tables[0], tables[1], level.players)


def planned(level: Level, rules: str) -> Plan:
    """Return the plan for a game under these rules, after playing it in the environment."""
    env = SokobanEnv(level, rules=rules, max_steps=1000)
    env.reset(seed=0)
    try:
        plan = plan_for(env, time_limit=LONG)
    except UnsolvableError:
        return Plan("unsolvable")
    plan.verify(env)
    assert not plan.proved_optimal and plan.lower_bound == 0, f"{rules}: claims a proof\n{level}"
    return plan


def compare(seed: int) -> str:
    """Compare one level. Return the variant and the status."""
    room, empty = small_room(seed)
    variant = VARIANTS[seed % len(VARIANTS)]
    drawing = drawn(room, (empty[0], "@"))
    level, about = Level.parse(drawing), f"seed {seed}, {variant}\n{drawing}"
    if variant in ("plain", "fixed"):
        truth = exhaustive(drawing, fixed=variant == "fixed")
        _compare_proofs(numbered(level) if variant == "fixed" else level, truth, about)
    elif variant == "pull":
        truth = exhaustive(drawing)
        assert planned(level, "PushAndPull-Sokoban-v0").status == _status(truth.solvable), about
    else:
        two = Level(level.walls, level.targets, level.boxes, (empty[0], empty[1]))
        alone = [
            exhaustive(drawn(room, (mine, "@"), (other, "#")))
            for mine, other in (empty[:2], empty[1::-1])
            if room[other[0]][other[1]] != "."
        ]
        truth = SokobanAnswer(any(answer.solvable for answer in alone), -1, -1)
        assert planned(two, "TwoPlayer-Sokoban-v0").status == _status(truth.solvable), f"{about}\n{empty[:2]}"
    return f"{variant} {_status(truth.solvable)}"


def _status(solvable: bool) -> str:
    return "solved" if solvable else "unsolvable"


def _compare_proofs(level: Level, truth: SokobanAnswer, about: str) -> None:
    """Compare the status and, if the level is solvable, the fewest pushes and the fewest moves."""
    for objective, fewest in (("pushes", truth.pushes), ("moves", truth.moves), ("any", None)):
        plan = solve(level, objective, LONG)
        assert plan.status == _status(truth.solvable), f"{objective}: {plan.status}, {about}"
        if truth.solvable and fewest is not None:
            found = plan.pushes if objective == "pushes" else plan.moves
            assert (found, plan.lower_bound, plan.proved_optimal) == (fewest, fewest, True), f"{objective}, {about}"


def main(count: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(count):
        counts[compare(seed)] += 1
        if seed % 1000 == 999:
            print(f"{seed + 1:,} levels agree", file=sys.stderr, flush=True)
    print(f"{count:,} levels agree: " + ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())))


if __name__ == "__main__":
    main(int(sys.argv[1]))

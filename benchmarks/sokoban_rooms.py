"""Making Sokoban rooms: `python benchmarks/sokoban_rooms.py [--quick]`.

1. The rooms of gym-sokoban (in a virtual environment of its own, below .peers/) and ours, made in one run: how long a
   reset takes ("faster" compares the time of the processor, so that other programs do not count), and how hard the
   rooms are. Both are measured with the same stick, the solution with the fewest pushes:
   its pushes and moves, box swaps, how far its boxes go (rows + columns), the score (swaps x displacement), and how many
   positions the solver looked at to find it.
2. Many rooms of each kind: none may fail, each solution is played through the environment, and the slowest reset counts.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.peers.run import CACHE, HERE, Failed, environment  # noqa: E402
from shoverworld.games.sokoban.env import SokobanEnv  # noqa: E402
from shoverworld.games.sokoban.levels import Level  # noqa: E402
from shoverworld.games.sokoban.lurd import STEPS  # noqa: E402
from shoverworld.games.sokoban.lurd_replay import LurdGame  # noqa: E402
from shoverworld.games.sokoban.solver import solve  # noqa: E402

# The ids of RULES 2: rows, columns, boxes; how many of gym-sokoban's rooms are made, and how many of ours.
KINDS = {
    "Sokoban-small-v0": (7, 7, 2, 400, 10_000),
    "Sokoban-v0": (10, 10, 3, 80, 10_000),
    "Sokoban-v1": (10, 10, 4, 0, 2_000),
    "Sokoban-v2": (10, 10, 5, 0, 2_000),
    "Sokoban-large-v0": (13, 11, 3, 0, 10_000),
    "Sokoban-large-v1": (13, 11, 4, 0, 2_000),
    "Sokoban-large-v2": (13, 11, 5, 0, 2_000),
    "Sokoban-huge-v0": (13, 13, 5, 0, 10_000),
}
QUICK = 20  # times less
SAMPLE = 400  # of our rooms, for the solver
TELLS = ("pushes", "moves", "box swaps", "displacement", "score", "positions")
NOT_PROVED = 60  # seconds; a room that takes longer is left out of the means


class Screen:
    """Progress on stderr, tables on stdout."""

    def __init__(self):
        self.console = Console(stderr=True)
        self.out = Console()

    def progress(self, what: str, total: int):
        columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        shown = Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal)
        shown.add_task("", total=total)
        return shown


def gym_rooms(screen: Screen, part: int) -> dict[str, tuple[list[float], list[float], list[Level]]]:
    """Seconds of each reset, on the clock and of the processor, and the rooms, of gym-sokoban; by id."""
    wanted = {name: kind for name, kind in KINDS.items() if kind[3]}
    kinds = [f"{rows}x{cols}x{boxes}x{max(2, count // part)}" for rows, cols, boxes, count, _ in wanted.values()]
    names = {kind[:3]: name for name, kind in wanted.items()}
    found: dict[str, tuple[list[float], list[float], list[Level]]] = {name: ([], [], []) for name in wanted}
    command = [environment("gym_sokoban", CACHE), str(HERE / "gym_sokoban_rooms.py"), *kinds]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        total = sum(int(kind.rsplit("x", 1)[1]) for kind in kinds)
        with screen.progress("gym-sokoban's rooms", total) as progress:
            for line in child.stdout:
                room = json.loads(line)
                fixed, state = np.array(room["fixed"]), np.array(room["state"])
                seconds, work, levels = found[names[tuple(room["size"])]]
                seconds.append(room["seconds"])
                work.append(room["work"])
                player = tuple(np.argwhere(state == 5)[0].tolist())
                levels.append(Level(fixed == 0, fixed == 2, (state == 3) | (state == 4), (player,)))
                progress.advance(progress.task_ids[0])
    if child.returncode:
        raise Failed(f"gym-sokoban's rooms: exit code {child.returncode}")
    return found


def our_rooms(screen: Screen, name: str, count: int) -> tuple[list[float], list[float], list[Level], list[int]]:
    """Seconds of each `reset()`, on the clock and of the processor, rooms, and the pushes of their solutions, each played through the environment."""
    rows, cols, boxes = KINDS[name][:3]
    env = SokobanEnv(dim_room=(rows, cols), num_boxes=boxes, max_steps=1_000_000)
    env.reset(seed=0)  # compiled, and its memory has been touched
    seconds, work, levels, pushes = [], [], [], []
    with screen.progress(f"our rooms, {name}", count) as progress:
        for _ in range(count):
            began, work_began = time.perf_counter(), time.process_time()
            _, info = env.reset()
            seconds.append(time.perf_counter() - began)
            work.append(time.process_time() - work_began)
            if len(levels) < SAMPLE:
                levels.append(env.level)
            solution, solved = info["solution"], False
            for letter in solution:
                if solved:
                    raise SystemExit(f"{name}: solved before its solution ends\n{env.level}\n{solution}")
                _, _, solved, _, info = env.step(" UDLRudlr".index(letter))
            if not solved or info["pushes"] != sum(map(str.isupper, solution)):
                raise SystemExit(f"{name}: the solution does not solve the room\n{env.level}\n{solution}")
            pushes.append(info["pushes"])
            progress.advance(progress.task_ids[0])
    return seconds, work, levels, pushes


def hardness(level: Level) -> tuple[float, ...] | None:
    """What TELLS names, of the solution with the fewest pushes; None when none was proved."""
    plan = solve(level, "pushes", NOT_PROVED)
    if not plan.proved_optimal:
        return None
    game, began, swaps, last = LurdGame(level), {}, 0, None
    for box in game.boxes:
        began[box] = box
    for letter in plan.lurd:
        if letter.isupper():
            down, right = STEPS[letter.lower()]
            at = game.player[0] + down, game.player[1] + right
            box = began.pop(at)
            began[at[0] + down, at[1] + right] = box
            swaps += box != last
            last = box
        game.go(letter)
    distance = sum(abs(row - r) + abs(col - c) for (row, col), (r, c) in began.items())
    return plan.pushes, plan.moves, swaps, distance, swaps * distance, plan.expanded


def compare(screen: Screen, part: int) -> None:
    table = Table(title="gym-sokoban's rooms and ours, means", title_justify="left")
    for head in ("", "rooms", "reset", "processor", "faster", "slowest", *TELLS):
        table.add_column(head, justify="left" if not head else "right", no_wrap=True)
    for name, theirs in gym_rooms(screen, part).items():
        ours = our_rooms(screen, name, KINDS[name][4] // part)[:3]
        factor = np.mean(theirs[1]) / np.mean(ours[1])
        for who, (seconds, work, levels) in (("gym-sokoban", theirs), ("ours", ours)):
            told = []
            with screen.progress(f"solving, {name}, {who}", len(levels)) as progress:
                for level in levels:
                    told.append(hardness(level))
                    progress.advance(progress.task_ids[0])
            means = np.mean([one for one in told if one], axis=0)
            table.add_row(
                f"{name}, {who}",
                str(len(seconds)),
                clock(float(np.mean(seconds))),
                clock(float(np.mean(work))),
                f"{factor:,.0f} x" if who == "ours" else "",
                clock(max(seconds)),
                *(f"{mean:.1f}" for mean in means),
            )
    screen.out.print(table)


def clock(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def endure(screen: Screen, part: int) -> None:
    table = Table(title="Many of ours, every solution played, none failed", title_justify="left")
    for head in (
        "",
        "rooms",
        "mean reset",
        "99 of 100 within",
        "slowest",
        "of the processor",
        "pushes",
        "least",
        "most",
    ):
        table.add_column(head, justify="left" if not head else "right", no_wrap=True)
    for name, kind in KINDS.items():
        seconds, work, _, pushes = our_rooms(screen, name, kind[4] // part)
        times = float(np.mean(seconds)), float(np.quantile(seconds, 0.99)), max(seconds), max(work)
        counts = f"{np.mean(pushes):.1f}", str(min(pushes)), str(max(pushes))
        table.add_row(name, f"{len(seconds):,}", *map(clock, times), *counts)
    screen.out.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} times fewer rooms")
    parser.add_argument("--no-peer", action="store_true", help="without gym-sokoban")
    chosen = parser.parse_args()
    screen, part = Screen(), QUICK if chosen.quick else 1
    if not screen.out.is_terminal:
        screen.out = Console(width=160)
    try:
        if not chosen.no_peer:
            compare(screen, part)
    except Failed as error:
        print(f"gym-sokoban: {error}", file=sys.stderr)
    endure(screen, part)
    return 0


if __name__ == "__main__":
    sys.exit(main())

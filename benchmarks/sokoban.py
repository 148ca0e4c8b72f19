"""Compare the speed of Sokoban packages: `python benchmarks/sokoban.py [griddly envpool jumanji gym_sokoban]`.

The printed list shows what a step includes in each package. Choosing the actions is not timed.

    shoverworld   1000 generated levels, 10x10, 4 boxes, nine random actions, 120 steps per game; rules, reward and
                  end of the game. One env: a copy of the planes and an info dict, resets timed. Batched: `VectorEnv.step` with
                  copy=False, planes written in place, info arrays, autoreset within the step
    griddly       C++ behind the old Gym interface: the Sokoban of GVGAI, one level of 9x13, four moves and a no-op, 120
                  steps; four planes; resets not timed
    envpool       C++ version of Jumanji's game: one level, 10x10, 4 boxes, four moves, 120 steps, autoreset; two planes
    jumanji       JAX: two levels, 10x10, 4 boxes, four moves, 120 steps, autoreset; two planes. A batch is one scan of
                  128 steps that never leaves JAX. It is the better of two batches: with a single level, a reset needs no
                  random choice
    gym_sokoban   Python: 10x10, 4 boxes, nine actions, 120 steps; the room array, not rendered; resets not timed

Targets: 250 k steps per second for one env, 25 M steps per second for a batch on one thread, 1 M resets per second from
stored levels, and a higher speed than every other package.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import rounds
from shoverworld.games.sokoban import bench
from shoverworld.games.sokoban.rooms import generate_room

ID, ROOMS, GAMES = "shoverworld/Sokoban-v0", 1000, 8192
KINDS = {"single": "one env", "batched": "batched", "resets": "resets"}


def main() -> None:
    chosen = rounds.options("Measure Sokoban in this package and in its peers in one run.")
    levels = tuple(generate_room(seed, dim_room=(10, 10), num_boxes=4).level for seed in range(ROOMS))
    batches = bench.batches(bench.make, id=ID, levels=levels)
    with (
        bench.one_env(ID, levels=levels) as single,
        batches.speed(GAMES) as batched,
        bench.resets(bench.make(GAMES, ID, levels=levels, copy=False)) as resets,
        batches.speed(4 * GAMES, threads=2) as threads,
    ):
        ours = {"single": single, "batched": batched, "threads": threads, "resets": resets}
        lines = rounds.run(chosen, ours, f"{ROOMS} levels, planes, autoreset; batch of {GAMES}, one thread, in place")
    rounds.table(lines, KINDS)
    print(f"shoverworld, batch of {4 * GAMES} on two threads: {lines[0].figure('threads'):,.0f}")


if __name__ == "__main__":
    main()

"""Sokoban beside the peers in one run: `python benchmarks/sokoban.py [griddly envpool jumanji gym_sokoban]`.

What a step does, in each of them (the time of choosing the actions is in none of the figures):

    shoverworld   1000 rooms of its own, 10x10, 4 boxes, all nine actions by the dice, 120 steps a game. The rules, reward
                  and ends; one env: a copy of the planes, an info dict, resets timed; batched: `VectorEnv.step` with
                  copy=False, planes written in place, info arrays, games that are over begin anew within the step
    griddly       C++ behind the old Gym interface: GVGAI's Sokoban, one room of 9x13, four moves and a no-op, 120 steps; four
                  planes; resets are not timed
    envpool       C++ version of Jumanji's game: one room, 10x10, 4 boxes, four moves, 120 steps, auto-reset; two planes
    jumanji       JAX: two rooms, 10x10, 4 boxes, four moves, 120 steps, auto-reset; two planes. A batch is one scan of 128
                  steps that never leaves JAX, and the better one of two: all games in one room need no draw at a reset
    gym_sokoban   Python: 10x10, 4 boxes, nine actions, 120 steps; the room array, not rendered; resets are not timed

Aims: one env 250 k, batched 25 M on one thread, 1 M resets from stored levels, ahead of all of them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import beside
from shoverworld.games.sokoban import bench as sokoban
from shoverworld.games.sokoban.rooms import generate_room

ROOMS, GAMES = 1000, 8192
KINDS = {"single": "one env", "batched": "batched", "resets": "resets"}


def main() -> None:
    chosen = beside.options("Measure Sokoban here and in the peers in one run.")
    levels = tuple(generate_room(seed, dim_room=(10, 10), num_boxes=4).level for seed in range(ROOMS))
    like_the_peers = {"levels": levels, "max_steps": 120}
    ours = {
        "single": lambda seconds: sokoban.single(seconds, **like_the_peers),
        "batched": lambda seconds: sokoban.batched(seconds, GAMES, 1, False, **like_the_peers),
        "threads": lambda seconds: sokoban.batched(seconds, 4 * GAMES, 2, False, **like_the_peers),
        "resets": lambda seconds: sokoban.resets(seconds, GAMES, **like_the_peers),
    }
    for measured in ours.values():
        measured(0.1)  # warm up
    lines = beside.run(chosen, ours, f"{ROOMS} rooms, planes, auto-reset; batch of {GAMES}, one thread, in place")
    beside.table(lines, KINDS)
    print(f"shoverworld, batch of {4 * GAMES} on two threads: {lines[0].figure('threads'):,.0f}")


if __name__ == "__main__":
    main()

"""Rooms of gym-sokoban's own generator: JSON lines on stdout, for benchmarks/sokoban_rooms.py.

A line is a room {"size": [rows, cols, boxes], "seconds", "work", "fixed", "state"}: how long `SokobanEnv.reset()`
took, on the clock and of the processor, with rendering switched off, and what it made (walls 0, floor 1, targets 2; boxes 3 and 4, the player 5).
It runs in gym-sokoban's own virtual environment and imports nothing of this project.
"""

import argparse
import json
import random
import sys
import time

sys.path.pop(0)  # this file's folder: a file in it is called like the package

import numpy as np
from gym_sokoban.envs.sokoban_env import SokobanEnv


class Unrendered(SokobanEnv):
    """The same environment, observed as its array of cells instead of a picture."""

    def render(self, *args, **kwargs):
        return self.room_state


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="+", metavar="ROWSxCOLSxBOXESxROOMS")
    options = parser.parse_args()
    out, sys.stdout = sys.stdout, sys.stderr  # the environment prints there, too
    random.seed(0)  # the generator draws from the global states
    np.random.seed(0)
    for kind in options.kinds:
        rows, cols, boxes, rooms = map(int, kind.split("x"))
        env = Unrendered(dim_room=(rows, cols), num_boxes=boxes, reset=False)
        for _ in range(rooms):
            began, work_began = time.perf_counter(), time.process_time()
            env.reset()
            seconds, work = time.perf_counter() - began, time.process_time() - work_began
            room = {"size": [rows, cols, boxes], "seconds": seconds, "work": work}
            room.update(fixed=env.room_fixed.astype(int).tolist(), state=env.room_state.astype(int).tolist())
            print(json.dumps(room), file=out, flush=True)


if __name__ == "__main__":
    main()

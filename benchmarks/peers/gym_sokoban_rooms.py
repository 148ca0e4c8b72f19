"""Generate levels with gym-sokoban and print them as JSON lines, for benchmarks/sokoban_rooms.py.

Each line describes one level: {"size": [rows, cols, boxes], "seconds", "work", "fixed", "state"}. `seconds` and `work`
are the wall time and the CPU time of `SokobanEnv.reset()` without rendering. `fixed` and `state` are the arrays of the
level (walls 0, floor 1, targets 2, boxes 3 and 4, the player 5). The script runs in gym-sokoban's virtual
environment and imports nothing from this project.
"""

import argparse
import json
import random
import sys
import time

sys.path.pop(0)  # remove this folder: it contains a file with the same name as the package

import numpy as np
from gym_sokoban.envs.sokoban_env import SokobanEnv


class Unrendered(SokobanEnv):
    """An environment whose observation is the array of cells instead of a picture."""

    def render(self, *args, **kwargs):
        return self.room_state


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="+", metavar="ROWSxCOLSxBOXESxROOMS")
    options = parser.parse_args()
    out, sys.stdout = sys.stdout, sys.stderr  # the environment also prints to stdout
    random.seed(0)  # the generator uses the global random states
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

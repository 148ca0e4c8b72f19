"""Play gym-sokoban and record the games as JSON lines in the file given by --out.

The script runs in the virtual environment of gym-sokoban and imports nothing from this project. The rooms come
from the generator of gym-sokoban, and its classes play the games. The script replaces the generator that `reset`
calls, so that `reset` gets a room that was generated in advance, because generating one can take seconds.

A line describes a room {"variant", "room", "max_steps", "fixed", "state", "homes"}, a game in the room with this
number {"variant", "room", "actions", "states", "rewards", "dones"}, or a failure {"variant", "failed"}. A state
is a string with one digit per cell, row by row.
"""

import argparse
import json
import random

import numpy as np
from gym_sokoban.envs import sokoban_env
from gym_sokoban.envs.room_utils import generate_room
from gym_sokoban.envs.sokoban_env import SokobanEnv
from gym_sokoban.envs.sokoban_env_fixed_targets import FixedTargetsSokobanEnv
from gym_sokoban.envs.sokoban_env_pull import PushAndPullSokobanEnv
from gym_sokoban.envs.sokoban_env_two_player import TwoPlayerSokobanEnv

# name: the class and the actions to choose from. "four" is the plain game with only its push actions.
VARIANTS = {
    "plain": (SokobanEnv, range(9)),
    "four": (SokobanEnv, range(1, 5)),
    "fixed": (FixedTargetsSokobanEnv, range(9)),
    "pull": (PushAndPullSokobanEnv, range(13)),
    "two": (TwoPlayerSokobanEnv, range(17)),
}
# (rows, cols), boxes, number of rooms; mostly small rooms, where random actions have an effect
SIZES = (((7, 7), 1, 4), ((6, 8), 1, 3), ((7, 7), 2, 4), ((8, 6), 2, 3), ((7, 7), 3, 2), ((10, 10), 3, 1))
MAX_STEPS = (60, 120, 200)


class Writer:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")  # noqa: SIM115  (open as long as the program runs)

    def line(self, **what):
        self.file.write(json.dumps(what) + "\n")


def digits(grid):
    return "".join(str(int(code)) for code in grid.flat)


def make_room(dim, boxes, second_player):
    """Generate a room. Try again if the generator of gym-sokoban fails, which happens sometimes."""
    while True:
        try:
            return generate_room(dim=dim, num_steps=int(1.7 * sum(dim)), num_boxes=boxes, second_player=second_player)
        except (RuntimeError, RuntimeWarning):
            continue


def provide_room(room):
    """Make the next `reset` use this room instead of generating one."""
    fixed, state, homes = room
    sokoban_env.generate_room = lambda **_: (fixed.copy(), state.copy(), dict(homes))


def set_up(variant, number, dim, boxes, max_steps, out):
    """Return an environment and its room; if the setup fails, record the failure and try again."""
    make, _ = VARIANTS[variant]
    while True:
        room = make_room(dim, boxes, second_player=variant == "two")
        provide_room(room)
        try:
            env = make(dim_room=dim, max_steps=max_steps, num_boxes=boxes)
        except IndexError as error:
            out.line(variant=variant, failed=f"{type(error).__name__}: {error}")
            continue
        fixed, state, homes = room
        pairs = [[list(map(int, target)), list(map(int, box))] for target, box in homes.items()]
        out.line(
            variant=variant, room=number, max_steps=max_steps, fixed=fixed.tolist(), state=digits(state), homes=pairs
        )
        return env, room


def at_a_box(env, variant):
    """Return the pushes towards a box next to a player and the pulls away from one."""
    players = env.player_positions if variant == "two" else {0: env.player_position}
    for player in range(2 if variant == "two" else 1):
        row, col = players[player]
        for way, (d_row, d_col) in sokoban_env.CHANGE_COORDINATES.items():
            if env.room_state[row + d_row, col + d_col] in (3, 4):
                yield 1 + 8 * player + way
                if variant == "pull":
                    yield 9 + (way ^ 1)  # swaps up and down, left and right


def play(env, room, variant, rng):
    """Play one game from `reset` to done. In two out of three games, many actions push or pull boxes."""
    _, actions = VARIANTS[variant]
    eager = rng.choice((0.0, 0.3, 0.6))
    provide_room(room)
    env.reset()
    game = {"actions": [], "states": [], "rewards": [], "dones": []}
    while not (game["dones"] and game["dones"][-1]):
        boxes = list(at_a_box(env, variant)) if rng.random() < eager else []
        action = rng.choice(boxes or actions)
        _, reward, done, _ = env.step(action, "tiny_rgb_array")
        game["actions"].append(action)
        game["states"].append(digits(env.room_state))
        game["rewards"].append(float(reward))
        game["dones"].append(bool(done))
    return game


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--actions", type=int, required=True, help="minimum number of actions for each variant")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    out = Writer(options.out)
    for variant in VARIANTS:
        rng = random.Random(f"{variant} {options.seed}")
        random.seed(options.seed)  # the generator uses the global random states
        np.random.seed(options.seed)  # noqa: NPY002
        sizes = [(dim, boxes) for dim, boxes, count in SIZES for _ in range(count)]
        tables = [
            set_up(variant, number, dim, boxes, MAX_STEPS[number % len(MAX_STEPS)], out)
            for number, (dim, boxes) in enumerate(sizes)
        ]
        played = 0
        while played < options.actions:
            number = rng.randrange(len(tables))
            game = play(*tables[number], variant, rng)
            out.line(variant=variant, room=number, **game)
            played += len(game["actions"])
    out.file.close()


if __name__ == "__main__":
    main()

"""Compare gym-sokoban 0.0.6 with the engine and the reference engine on the same rooms and actions.

    python -m tests.peers.compare_gym_sokoban --actions 15000

Room state, reward and done are compared after every action. The script prints a table and exits with code 1 if
there is a difference that is not explained by a known fault of gym-sokoban (README.md). gym-sokoban has its own
virtual environment in `.peers/`, which the first run creates.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.peers.run import CACHE, Failed, call, environment, say
from shoverworld.games.sokoban.config import SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from tests.oracles.sokoban_twin import SokobanTwin

HERE = Path(__file__).resolve().parent
PEER = "gym_sokoban"
CHILD_LIMIT = 3600  # seconds
TOLERANCE = 1e-9

# The known faults of gym-sokoban. Their effect is predicted exactly and checked as strictly as everything else.
NOOP_PUSHES = "push & pull: the no-op pushes right"
NO_PRIZE = "fixed targets: no +10 when all boxes are on their targets"
STALE_MARKS = "fixed targets: reset keeps the flags of the previous game"
SETUP_FAILS = "two players: the setup fails because both are placed on the same cell"


class Comparison:
    def __init__(self):
        self.actions: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.solved: Counter[str] = Counter()
        self.boxes_moved: Counter[str] = Counter()
        self.differences = {"twin": Counter(), "engine": Counter()}
        self.engines: dict[tuple[str, int], SokobanEnv] = {}
        self.faults: Counter[str] = Counter()
        self.rooms: dict[tuple[str, int], dict] = {}
        self.left_on: dict[tuple[str, int], int] = {}  # boxes on their targets at the end of the last game in that room
        self.first: list[str] = []

    def read(self, path: Path) -> None:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
                if "failed" in entry:
                    self.failed(entry)
                elif "actions" in entry:
                    self.replay(entry)
                else:
                    self.rooms[entry["variant"], entry["room"]] = entry

    def failed(self, entry: dict) -> None:
        if entry["variant"] == "two" and entry["failed"].startswith("IndexError"):
            self.faults[SETUP_FAILS] += 1
        else:
            for side in self.differences:
                self.differ(side, entry["variant"], f"the setup failed: {entry['failed']}")

    def differ(self, side: str, variant: str, text: str) -> None:
        self.differences[side][variant] += 1
        if len(self.first) < 10:
            self.first.append(f"{side}, {variant}: {text}")

    def replay(self, game: dict) -> None:
        """Replay one game of gym-sokoban in both engines; stop at the first difference."""
        variant = game["variant"]
        table = variant, game["room"]
        room = self.rooms[table]
        twin = twin_of(room)
        env = self.engine_of(table)
        self.games[variant] += 1
        moves = zip(game["actions"], game["states"], game["rewards"], game["dones"], strict=True)
        for place, (action, state, reward, done) in enumerate(moves):
            self.actions[variant] += 1
            played = self.translated(variant, action)
            twin_reward, terminated, truncated, happened = twin.step(played)
            grid, env_reward, env_terminated, env_truncated, _ = env.step(played)
            if variant == "pull" and action == 0 and happened["valid"]:
                self.faults[NOOP_PUSHES] += 1
            fault = self.predicted(table, place, terminated) if variant == "fixed" else 0.0
            self.boxes_moved[variant] += happened["did"] in ("push", "pull")
            self.solved[variant] += terminated
            theirs = state, reward, done
            ours = {
                "twin": (digits(twin.grid(*grid.shape)), twin_reward + fault, terminated or truncated),
                "engine": (digits(grid.tolist()), env_reward + fault, env_terminated or env_truncated),
            }
            wrong = {side: text for side, mine in ours.items() if (text := differences(theirs, mine))}
            for side, text in wrong.items():
                self.differ(side, variant, f"room {room['room']}, action {place} ({action}): {text}")
            if wrong:
                return
        self.left_on[table] = len(twin.boxes_at_home())

    def engine_of(self, table: tuple[str, int]) -> SokobanEnv:
        """Return the environment of the engine for this room, after a reset."""
        if table not in self.engines:
            room = self.rooms[table]
            self.engines[table] = SokobanEnv(level_of(room), rules=rules_of(room), observation="grid")
        env = self.engines[table]
        env.reset(seed=0)
        return env

    def translated(self, variant: str, action: int) -> int:
        """Return the number of the same action in the reference engine."""
        if variant == "four":
            return action - 1
        if variant == "pull" and action == 0:
            return 4  # the no-op pushes right (NOOP_PUSHES)
        return action

    def predicted(self, table: tuple[str, int], place: int, solved: bool) -> float:
        """Return how much the faults of gym-sokoban change the reward of this action (fixed targets)."""
        change = 0.0
        if solved:
            self.faults[NO_PRIZE] += 1
            change -= 10
        stale = self.left_on.pop(table, 0) if place == 0 else 0
        if stale:
            self.faults[STALE_MARKS] += 1
            change -= stale
        return change

    def table(self) -> str:
        rooms = Counter(variant for variant, _ in self.rooms)
        columns = {
            "rooms": rooms,
            "games": self.games,
            "actions": self.actions,
            "boxes moved": self.boxes_moved,
            "solved": self.solved,
            "twin differs": self.differences["twin"],
            "engine differs": self.differences["engine"],
        }
        lines = ["  ".join([f"{'variant':<7}", *columns])]
        for variant in [*rooms, "all"]:
            row = {name: count.total() if variant == "all" else count[variant] for name, count in columns.items()}
            lines.append(
                "  ".join([f"{variant:<7}", *(f"{number:>{max(5, len(name))},}" for name, number in row.items())])
            )
        lines += ["", "known faults of gym-sokoban that occurred as predicted:"]
        lines += [f"{self.faults[fault]:>6,}  {fault}" for fault in (NOOP_PUSHES, NO_PRIZE, STALE_MARKS, SETUP_FAILS)]
        return "\n".join(lines)

    @property
    def agrees(self) -> bool:
        return not any(count.total() for count in self.differences.values())


def twin_of(room: dict) -> SokobanTwin:
    """Return the reference engine for a room; with fixed targets, each pair of target and box has a number."""
    fixed, cols = room["fixed"], len(room["fixed"][0])
    cells = [(row, col) for row in range(len(fixed)) for col in range(cols)]
    numbered = room["variant"] == "fixed"
    codes = {cell: int(code) for cell, code in zip(cells, room["state"], strict=True)}
    if numbered:
        targets = {tuple(target): number for number, (target, _) in enumerate(room["homes"], 1)}
        boxes = {tuple(box): number for number, (_, box) in enumerate(room["homes"], 1)}
    else:
        targets = {(row, col): 1 for row, col in cells if fixed[row][col] == 2}
        boxes = {cell: 1 for cell, code in codes.items() if code in (3, 4)}
    return SokobanTwin(
        walls={(row, col) for row, col in cells if fixed[row][col] == 0},
        targets=targets,
        boxes=boxes,
        players=[cell for cell, code in codes.items() if code == 5],
        pull=room["variant"] == "pull",
        four=room["variant"] == "four",
        max_steps=room["max_steps"],
    )


def level_of(room: dict) -> Level:
    """Return the level for a room."""
    fixed = np.array(room["fixed"])
    state = np.array([int(code) for code in room["state"]]).reshape(fixed.shape)
    targets, boxes = (fixed == 2).astype(np.uint8), np.isin(state, (3, 4)).astype(np.uint8)
    if room["variant"] == "fixed":
        for number, (target, box) in enumerate(room["homes"], 1):
            targets[tuple(target)] = boxes[tuple(box)] = number
    players = tuple((row, col) for row, col in np.argwhere(state == 5).tolist())
    return Level(walls=fixed == 0, targets=targets, boxes=boxes, players=players)


def rules_of(room: dict) -> SokobanRules:
    return SokobanRules(
        players=2 if room["variant"] == "two" else 1,
        pull=room["variant"] == "pull",
        fixed_targets=room["variant"] == "fixed",
        moves="four" if room["variant"] == "four" else "push_and_move",
        max_steps=room["max_steps"],
    )


def digits(grid: list[list[int]]) -> str:
    return "".join(str(code) for line in grid for code in line)


def differences(theirs: tuple, ours: tuple) -> str:
    """Describe how state, reward and done differ; return "" if they are equal."""
    pairs = zip(("state", "reward", "done"), theirs, ours, strict=True)
    return "; ".join(
        f"{what}: {their!r} in gym-sokoban, {our!r} here" for what, their, our in pairs if not same(their, our)
    )


def same(theirs, ours) -> bool:
    if isinstance(theirs, float):
        return math.isclose(theirs, ours, abs_tol=TOLERANCE)
    return theirs == ours


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--actions", type=int, default=15_000, help="minimum number of actions for each variant (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache-dir", type=Path, default=CACHE)
    options = parser.parse_args()
    comparison = Comparison()
    try:
        python = environment(PEER, options.cache_dir.absolute())
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "games.jsonl"
            say(PEER, "generating rooms and playing games …")
            script = [python, str(HERE / "play_gym_sokoban.py"), "--out", str(out)]
            call([*script, "--actions", str(options.actions), "--seed", str(options.seed)], CHILD_LIMIT)
            say(PEER, "replaying the games in this package …")
            comparison.read(out)
    except (Failed, OSError) as error:
        say(PEER, f"failed: {error}")
        return 1
    print(comparison.table())
    for text in comparison.first:
        print(text)
    return int(not comparison.agrees)


if __name__ == "__main__":
    sys.exit(main())

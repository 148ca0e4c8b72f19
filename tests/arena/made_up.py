"""Made-up results of exams, with real levels and real replays, for tests of reports and for the pictures in the docs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from shoverworld.arena.exam import DETAILS, Exam, LevelGroup, Points
from shoverworld.arena.records import GameRecord, LevelRecord, MatchRecord, Results, Seat, SubmissionRecord
from shoverworld.core.recorder import Recorder
from shoverworld.core.replay import Replay
from shoverworld.games import game_named

SOURCE = '''
import random

def act(observation, info):
    """Choose the push that leads to the box nearest to the lava."""
    best, chosen = None, None
    for action in info["valid_actions"]:
        distance = abs(action[0] - observation["shover"][0]) + abs(action[1] - observation["shover"][1])
        if best is None or distance < best:
            best, chosen = distance, action
    return chosen if chosen is not None else random.choice(info["valid_actions"])
'''


@dataclass(frozen=True)
class Level:
    name: str
    title: str
    text: str
    steps: int
    replay: str  # a game that wins


@cache
def levels(game_name: str = "shover", count: int = 6) -> tuple[Level, ...]:
    """Return packaged levels with a game that wins each of them."""
    game = game_named(game_name)
    found = []
    for board in game.levels.boards()[:count]:
        env = game.levels.environment(board, board.preset)
        env.reset(seed=0, options=game.levels.options(board))
        seconds = 0.3
        while not (actions := list(game.plan(env, time_limit=seconds).actions)):
            seconds *= 2  # on a busy machine
        replay = _played(game, board, actions)
        found.append(Level(board.name, board.title, env.map_text(), len(actions), replay.to_text()))
    return tuple(found)


def _played(game: Any, board: Any, actions: Sequence[Any]) -> Replay:
    env = Recorder(game.levels.environment(board, board.preset))
    env.reset(seed=0, options=game.levels.options(board))
    for action in actions:
        env.step(action)
    return env.replay(player="a student", notes={"map": board.name, "title": board.title})


def exam(details: tuple[str, ...] = DETAILS, repetitions: int = 1, players: int = 1) -> Exam:
    groups = (
        LevelGroup("warm-up", places=("warm-up",), public=True),
        LevelGroup("secret-group", places=("hidden/levels",), seed="the secret seed 4711", weight=1.0),
    )
    points = Points(solved=1.0, quality=1.0)
    return Exam("Exercise 2", "shover", "", groups, repetitions, points=points, details=details, players=players)


def results(students: Sequence[str], seed: int = 1, repetitions: int = 1, count: int = 6) -> Results:
    """Return results in which the first students are the best. The first two levels are public."""
    rng = np.random.default_rng(seed)
    used = levels(count=count)
    records = tuple(
        LevelRecord(_group(i), level.name, level.title, i < 2, 1.0, float(level.steps), True, text=level.text)
        for i, level in enumerate(used)
    )
    games = []
    for s, student in enumerate(students):
        chance = 0.95 - 0.75 * s / max(1, len(students) - 1)
        for i, level in enumerate(used):
            for repetition in range(1, repetitions + 1):
                games.append(_game(rng, student, i, level, repetition, chance))
    submissions = tuple(
        SubmissionRecord(s, f"{s}.py", source=f"{SOURCE}\nSTUDENT = {i}\n") for i, s in enumerate(students)
    )
    return Results(submissions, records, tuple(games))


def _group(i: int) -> str:
    return "warm-up" if i < 2 else "secret-group"


def _game(rng: np.random.Generator, student: str, i: int, level: Level, repetition: int, chance: float) -> GameRecord:
    won = bool(rng.random() < chance)
    ratio = round(float(rng.beta(8, 2)), 3) if won and rng.random() < 0.6 else 1.0
    steps = round(level.steps / ratio)
    failure, error = None, None
    if not won and rng.random() < 0.4:
        failure = "error"
        error = (
            f'Traceback (most recent call last):\n  File "{student}.py", line {7 + i}, in act\nKeyError: {level.name!r}'
        )
    return GameRecord(
        student, _group(i), level.name, repetition, "cleared" if won else "failed" if failure else "timeout", won, steps,
        {"stamina": 1000.0 - 10 * steps}, 0 if won else 2, 1 + ratio if won else 0.0, 2.0, float(level.steps), True,
        ratio if won else None, failure, error, float(rng.random()), 1.0, "bubblewrap", level.replay if won else None,
    )  # fmt: skip


def match_results(students: Sequence[str], seed: int = 1, count: int = 4, rounds: int = 3, size: int = 2) -> Results:
    """Return results of games with several players, in which the first students are the best."""
    rng = np.random.default_rng(seed)
    used = levels(count=count)
    strength = dict(zip(students, np.linspace(1.2, -1.2, len(students)), strict=True))
    matches = []
    for i, level in enumerate(used):
        for repetition in range(rounds):
            for start in range(len(students)):
                seats = [students[(start + k * (1 + repetition)) % len(students)] for k in range(size)]
                if len(set(seats)) < size:
                    continue
                luck = {s: strength[s] + rng.gumbel() for s in seats}
                places = {s: 1 + sum(bool(luck[o] > luck[s]) for o in seats) for s in seats}
                matches.append(
                    MatchRecord(
                        _group(i), level.name, repetition * len(students) + start + 1,
                        tuple(Seat(s, places[s], bool(luck[s] > -1), {"steps": 20.0 + places[s]}, cpu_seconds=0.5) for s in seats),
                    )
                )  # fmt: skip
    records = tuple(LevelRecord(_group(i), v.name, v.title, i < 2, 1.0, text=v.text) for i, v in enumerate(used))
    return Results(tuple(SubmissionRecord(s, f"{s}.py") for s in students), records, matches=tuple(matches))

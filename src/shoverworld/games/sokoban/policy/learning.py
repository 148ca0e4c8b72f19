"""What Sokoban brings for learning (`core.learning.Learning`): features, labels, and plans from a policy."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import UnsolvableError
from shoverworld.core.learning import check_levels
from shoverworld.core.plan import Plan, StoppedBy
from shoverworld.core.policy import AUTO, GREEDY, PHS

from ..boards import rules_of
from ..level_sequence import LevelSequence
from ..levels import Level
from ..lurd_replay import check
from ..planning import actions_of, alone
from ..record import level_of
from ..setup import levels_named
from ..solver.solver import written_pushes
from ..state import PLAYING
from .features import FEATURES, VERSION
from .guided import EXHAUSTED, FULL, NOT_YET, UNIFORM, continue_guided, new_guided_nodes, start_guided
from .level_batch import batch_of
from .teacher import SokobanTeacher

_AT_A_TIME = 64  # expansions between two checks of the clock


class SokobanLearning:
    """See `core.learning.Learning`."""

    version = VERSION
    features = FEATURES
    table_size = 1 << 22
    chunk = 500
    model = Path(__file__).parent / "model.npz"

    def read(self, sources: Sequence[str]) -> LevelSequence:
        parts: list[Sequence[Level]] = []
        for source in sources:
            levels = levels_named(source, 1)
            parts.extend(levels.parts if isinstance(levels, LevelSequence) else [levels])
        return LevelSequence(parts)

    def teacher(self, levels: Sequence[Level]) -> SokobanTeacher:
        check_levels(levels, Level, "levels of Sokoban (sokoban.Level)")
        return SokobanTeacher(levels)

    def plan(self, env: GridEnv, table: np.ndarray, *, method: int, expansions: int, time_limit: float) -> Plan:
        rules, state = rules_of(env), env.get_state()
        if state.game["outcome"][0] != PLAYING:
            won = bool(state.game["all_on_target"][0])
            return Plan("solved" if won else "unknown", objective="pushes", stopped_by="found" if won else "exhausted")
        level = level_of(state)
        if rules.players > 1:
            level = alone(level, 0)
        if level is None:
            raise UnsolvableError(
                "the second player stands on a target, and the learned policy moves only the first one"
            )
        if level.fixed:
            raise UnsolvableError("the learned policy does not cover targets that belong to particular boxes")
        method = PHS if method == AUTO else method
        lurd, expanded, seconds, stopped_by = _search(level, table, method, expansions, time_limit)
        solved = check(level, lurd).solved
        return Plan(
            "solved" if solved else "unknown",
            actions_of(lurd, rules),
            "pushes",
            sum(map(str.isupper, lurd)),
            expanded=expanded,
            seconds=seconds,
            stopped_by=stopped_by,
        )


def _search(
    level: Level, table: np.ndarray, method: int, expansions: int, time_limit: float
) -> tuple[str, int, float, StoppedBy]:
    """Search for a solution. Return its letters, the number of expansions, the seconds, and why the search ended.

    The letters are "" if there is no solution. With GREEDY, they are always those of the policy's walk.
    """
    batch = batch_of([level])
    nodes = new_guided_nodes(batch.width, batch.wall.shape[1], batch.boxes.shape[1], expansions)
    start_guided(batch, 0, nodes)
    continue_guided(batch, 0, nodes, table, method, UNIFORM, 0)  # compilation does not count
    began, expanded, found = time.perf_counter(), 0, NOT_YET
    while found == NOT_YET and expanded < expansions and (not expanded or time.perf_counter() - began < time_limit):
        found, done = continue_guided(batch, 0, nodes, table, method, UNIFORM, min(_AT_A_TIME, expansions - expanded))
        expanded += done
    seconds, stopped_by = time.perf_counter() - began, _reason(found, expanded >= expansions)
    if found < 0 and method == GREEDY:
        found = int(nodes.numbers[0]) - 1  # the last position of the walk
    pushes: list[int] = []
    node: Any = found
    while node > 0:
        pushes.append(int(nodes.push[node]))
        node = nodes.parent[node]
    lurd = written_pushes(batch.width, batch.wall[0], batch.boxes[0].tolist(), int(batch.player[0]), pushes[::-1])
    return lurd, expanded, seconds, stopped_by


def _reason(found: int, spent: bool) -> StoppedBy:
    """Return why a search ended. found: its result. spent: whether it has reached its limit of expansions."""
    if found >= 0:
        return "found"
    if found == EXHAUSTED:
        return "exhausted"
    return "memory" if found == FULL else "expansions" if spent else "time"


LEARNING = SokobanLearning()

"""The default planner, for games without their own planner. It searches the states of an environment with A*."""

import time
from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoverworld.core.checks import number
from shoverworld.core.env import GridEnv
from shoverworld.core.plan import Plan
from shoverworld.search import Budget, Problem, astar

REPORT_EVERY = 0.1  # seconds
BYTES_PER_STATE = 2000  # approximate memory for one state, including its search node and table entries
NOT_THE_FUTURE = ("steps", "valid", "remark")  # fields that do not affect the rest of the game


@dataclass(frozen=True)
class KeyedState:
    """A state with its key. Keyed states are equal if their keys are equal."""

    key: Hashable
    state: Any = field(compare=False)


class Stopped(Exception):
    """Raised to end the search when the caller's `progress` function returns True."""


class EnvProblem(Problem):
    """The game in an environment as a search problem. Every action costs 1."""

    def __init__(self, env: GridEnv, state: Any, watch: Callable[[], None]):
        self._env = deepcopy(env)
        self._env.listeners = []
        self._start = state
        self._watch = watch
        self._heuristic = getattr(env.game, "heuristic", lambda state: 0.0)

    def start(self) -> KeyedState:
        return keyed(self._start)

    def is_goal(self, state: KeyedState) -> bool:
        self._env.set_state(state.state)
        return self._env.outcome == self._env.game.won

    def successors(self, state: KeyedState) -> Iterator[tuple[int, KeyedState, float]]:
        self._watch()
        self._env.set_state(state.state)
        first = int(self._env.action_space.start)  # type: ignore[attr-defined]
        for action in np.flatnonzero(self._env.action_mask()).tolist():
            self._env.set_state(state.state)
            self._env.step(first + action)
            yield first + action, keyed(self._env.get_state()), 1.0

    def heuristic(self, state: KeyedState) -> float:
        return self._heuristic(state.state)


def keyed(state: Any) -> KeyedState:
    if hasattr(state, "key"):
        return KeyedState(state.key(), state)
    fields = state._asdict() if hasattr(state, "_asdict") else vars(state)
    return KeyedState(tuple(_hashable(value) for name, value in fields.items() if name not in NOT_THE_FUTURE), state)


def _hashable(value: Any) -> Hashable:
    return (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def plan_for(
    env: GridEnv,
    state: Any = None,
    *,
    objective: str | None = None,
    time_limit: float = 10.0,
    memory_limit: float = 1024.0,
    progress: Callable[[Plan], Any] | None = None,
) -> Plan:
    """Return a plan that leads from `state` to the goal in the fewest steps, found by A* with the game's heuristic.

    The search calls `progress` about ten times a second. Ctrl-C stops the search, as does a `progress` call that
    returns True.
    """
    seconds = number("time_limit", time_limit, at_least=0)
    expansions = int(number("memory_limit", memory_limit, at_least=1) * 2**20 / BYTES_PER_STATE)
    began = reported = time.perf_counter()
    expanded = 0

    def watch() -> None:
        nonlocal reported, expanded
        expanded += 1
        now = time.perf_counter()
        if progress is not None and now - reported >= REPORT_EVERY:
            reported = now
            if progress(Plan("unknown", expanded=expanded, seconds=now - began)) is True:
                raise Stopped

    problem = EnvProblem(env, env.get_state() if state is None else state, watch)
    try:
        result = astar(problem, Budget(expansions=expansions, seconds=seconds))
    except (Stopped, KeyboardInterrupt) as stop:
        reason = "progress" if isinstance(stop, Stopped) else "interrupt"
        return Plan("unknown", expanded=expanded, seconds=time.perf_counter() - began, stopped_by=reason)
    if result.status == "budget":
        reason = "time" if result.stopped_by == "seconds" else "memory"
        return Plan("unknown", expanded=result.expanded, seconds=result.seconds, stopped_by=reason)
    return Plan(
        "solved" if result.solved else "unsolvable",
        actions=result.actions,
        expanded=result.expanded,
        proved_optimal=result.solved,
        lower_bound=len(result.actions),
        seconds=result.seconds,
        stopped_by="proof",
    )

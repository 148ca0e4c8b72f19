"""The protocols between a game and `shoverworld.learn`: what a game brings so that a policy can learn to play it.

A game brings the features of its candidate actions, states labelled by its own solver, and a search with a policy.
Everything else is the same for every game: the policy (core/policy.py), training, model files, agents and commands.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .errors import ConfigError

if TYPE_CHECKING:
    from .env import GridEnv
    from .plan import Plan

# States with labels: a NamedTuple of arrays with one row for each state. Only the game looks inside.
LabelledStates = Any


class Examples(NamedTuple):
    """States as `policy.fit` reads them. State i has the candidates starts[i] to starts[i + 1]."""

    features: np.ndarray  # int32 (rows, k)
    starts: np.ndarray  # int64 (states + 1,)
    optimal: np.ndarray  # bool (rows,)


def new_examples(features: int, states: int = 1024, candidates: int = 16) -> Examples:
    """Allocate room for examples. `candidates`: the average number of candidates per state to make room for."""
    rows = max(states * candidates, 4096)
    return Examples(np.zeros((rows, features), np.int32), np.zeros(states + 1, np.int64), np.zeros(rows, np.bool_))


class Teacher(Protocol):
    """A set of training levels, and the solver that labels states of these levels."""

    @property
    def count(self) -> int:
        """The number of levels."""
        ...

    @property
    def digest(self) -> str:
        """A hash of the levels, for the header of a model."""
        ...

    @property
    def most_candidates(self) -> int:
        """The largest number of candidates in a state of these levels."""
        ...

    def label(self, levels: np.ndarray, table: np.ndarray, round: int, seed: int) -> LabelledStates:
        """Return labelled states of these levels (indices). Equal arguments give equal states.

        One kernel call labels all levels that have the same rules and size.

        round 0: states on the way of the solver. Later rounds: states that the policy with this table visits, and
        levels that the solver could not solve but the search with the policy can (expert iteration).
        """
        ...

    def write(self, states: LabelledStates, order: np.ndarray, first: int, out: Examples, size: int) -> tuple[int, int]:
        """Write the examples for states order[first:] until `out` is full.

        size: the size of the policy's table. Return the next place in `order` and the number of written examples.
        """
        ...

    def solve(self, table: np.ndarray, method: int, expansions: int) -> np.ndarray:
        """Search all levels with a policy. Return the cost of each solution, or -1 for a level that was not solved.

        method: GREEDY, LEVIN, PHS or AUTO (core/policy.py).
        """
        ...


class Learning(Protocol):
    """What a game brings for learning: `Game.learning`."""

    version: int  # of the features: a model fits only the version that it was trained with
    features: int  # indices per candidate
    table_size: int  # entries of the table, a power of two
    chunk: int  # levels to label in one step of a training, which should take a few seconds at most
    model: Path  # the packaged model

    def read(self, sources: Sequence[str]) -> Sequence[Any]:
        """Read training levels from files, folders or packaged sets. Raise an error that names what is wrong."""
        ...

    def teacher(self, levels: Sequence[Any]) -> Teacher:
        """Return the teacher for these levels."""
        ...

    def plan(self, env: "GridEnv", table: np.ndarray, *, method: int, expansions: int, time_limit: float) -> "Plan":
        """Search from the current state of an environment with a policy.

        The plan has passed the rules. method: as in `Teacher.solve`. With GREEDY, a plan that does not win has the actions of the policy's walk.
        """
        ...


def check_levels(levels: Sequence[Any], kind: type | tuple[type, ...], expected: str) -> None:
    """Raise ConfigError if a training level has another type."""
    for place, level in enumerate(levels):
        if not isinstance(level, kind):
            hint = "; to train on a file or folder, pass its path alone" if isinstance(level, (str, Path)) else ""
            raise ConfigError(f"levels[{place}] is of type {type(level).__name__}; expected {expected}{hint}")

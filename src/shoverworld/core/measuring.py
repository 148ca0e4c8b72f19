"""Measurement functions for the benchmarks of all games (games/NAME/bench.py).

Lines that are compared with each other form a group. In every round, each of them is measured once, so that all of them
run under the same load, and the order alternates. The value of a line is the median over the rounds, and the two
quartiles show its spread. A ratio is computed within each round. The garbage collector is off while a line is measured.

The games of a batch are recorded before they are timed: the batch plays until its games are at different stages, then
its state and the following actions are kept. Every measurement plays these same steps again from the same state, so
choosing the actions takes no time, and all variants (copies, threads) do the same work in every round.

This module and the benchmarks use NumPy, Gymnasium and the public interface of the package. benchmarks/history.py can
therefore measure older versions of the package with today's benchmarks.
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector.utils import create_empty_array
from numpy.typing import NDArray

RECORDED = 2**17  # game steps in a recording, divided among the games
SHORTEST, LONGEST = 128, 1024  # steps in a recording; restoring a state empties the caches, so short ones are slower

Measure = Callable[[float], float]  # measures for about this many seconds and returns the value
Prepare = Callable[[], AbstractContextManager[Measure]]  # prepares the measurement; the preparation is not timed
Choose = Callable[[Any, Any, np.random.Generator], np.ndarray]  # (envs, observation, rng) -> actions


class Unavailable(Exception):
    """This version of the package does not have the feature that a benchmark measures."""


# ---------------------------------------------------------------- lines and results


class Aim(NamedTuple):
    """The target value of a line."""

    bound: float
    at_most: bool = False

    def reached(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound


class Figure(NamedTuple):
    """A line that is measured. Slow lines take many seconds."""

    name: str
    unit: str
    prepare: Prepare
    aim: Aim | None = None
    slow: bool = False


class Ratio(NamedTuple):
    """A line that is computed from two lines of the same group: `of` divided by `to`."""

    name: str
    of: str
    to: str
    aim: Aim | None = None


class Group(NamedTuple):
    """Lines that are measured together."""

    figures: Sequence[Figure]
    ratios: Sequence[Ratio] = ()

    def select(self, pattern: str = "*", slow: bool = False) -> tuple["Group", frozenset[str]]:
        """Return a group with the figures that the matching lines need, and the names of these lines."""
        figures = [figure for figure in self.figures if slow or not figure.slow]
        known = {figure.name for figure in figures}
        ratios = [ratio for ratio in self.ratios if {ratio.of, ratio.to} <= known and matches(ratio.name, pattern)]
        shown = {name for name in known if matches(name, pattern)}
        needed = shown.union(*((ratio.of, ratio.to) for ratio in ratios))
        kept = [figure for figure in figures if figure.name in needed]
        return Group(kept, ratios), frozenset(shown.union(ratio.name for ratio in ratios))

    def prefixed(self, prefix: str) -> "Group":
        """Return the group with a prefix before every name."""
        figures = [figure._replace(name=prefix + figure.name) for figure in self.figures]
        ratios = [Ratio(prefix + name, prefix + of, prefix + to, aim) for name, of, to, aim in self.ratios]
        return Group(figures, ratios)


def matches(name: str, pattern: str) -> bool:
    """Return whether a part of the name matches a pattern with the wildcards * and ?, regardless of case."""
    return fnmatchcase(name.lower(), f"*{pattern.lower()}*")


class Result(NamedTuple):
    """The values of a line, one for each round. If there are none, `missing` gives the reason."""

    name: str
    unit: str
    aim: Aim | None
    values: tuple[float, ...]
    missing: str = ""

    @property
    def median(self) -> float:
        return float(np.median(self.values))

    @property
    def quartiles(self) -> tuple[float, float]:
        low, high = np.quantile(self.values, (0.25, 0.75)).tolist()
        return low, high

    @property
    def reached(self) -> bool | None:
        """Whether the median meets the target value, or None if there is no target value."""
        return None if self.aim is None else self.aim.reached(self.median)

    def to_json(self) -> dict[str, Any]:
        bound = None if self.aim is None else {"at_most" if self.aim.at_most else "at_least": self.aim.bound}
        return {
            "name": self.name,
            "value": self.median,
            "unit": self.unit,
            "median": self.median,
            "spread": self.quartiles,
            "rounds": self.values,
            "aim": bound,
            "reached": self.reached,
        }


def measure(
    group: Group, seconds: float, rounds: int, unavailable: type[Exception] = Unavailable
) -> Generator[Result, None, None]:
    """Measure a group and yield its results: `rounds` rounds in which every figure is measured for `seconds` seconds.

    A figure whose preparation raises `unavailable` has no values.
    """
    values: dict[str, list[float]] = {figure.name: [] for figure in group.figures}
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        ready: list[tuple[str, Measure]] = []
        for figure in group.figures:
            try:
                ready.append((figure.name, stack.enter_context(figure.prepare())))
            except unavailable as reason:
                missing[figure.name] = str(reason) or type(reason).__name__
        for _ in range(rounds):
            for name, measured in ready:
                with without_garbage_collection():
                    values[name].append(measured(seconds))
            ready.reverse()
    for figure in group.figures:
        found = tuple(values[figure.name])
        yield Result(figure.name, figure.unit, figure.aim, found, missing.get(figure.name, ""))
    for ratio in group.ratios:
        found = tuple(of / to for of, to in zip(values[ratio.of], values[ratio.to], strict=False))
        lacks = "" if found else missing.get(ratio.of) or missing.get(ratio.to, "")
        yield Result(ratio.name, "x", ratio.aim, found, lacks)


@contextmanager
def without_garbage_collection() -> Generator[None, None, None]:
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# ---------------------------------------------------------------- what is measured


def repeated(work: Callable[[], int]) -> Measure:
    """Measure how much work is done per second. `work` returns how many units of work it has done."""

    def measured(seconds: float) -> float:
        work()  # warms up
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds or not done:
            done += work()
        return done / (time.perf_counter() - began)

    return measured


def at_once(first: Measure, second: Measure) -> Measure:
    """Return the sum of two measurements that run at the same time, in two threads."""

    def measured(seconds: float) -> float:
        with ThreadPoolExecutor(2) as pool:
            other = pool.submit(second, seconds)
            return first(seconds) + other.result()

    return measured


@contextmanager
def new_processes(*arguments: str, compiled: bool) -> Generator[Measure, None, None]:
    """Measure how many seconds `python ARGUMENTS` takes, either with an empty kernel cache or after a first run.

    Python may store bytecode, as it does when a package is installed, so only the first run has to read the sources.
    """
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(environment: Mapping[str, str]) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    def cold(seconds: float) -> float:
        with tempfile.TemporaryDirectory() as cache:
            return run({**usual, "SHOVERWORLD_CACHE": cache})

    if compiled:
        run(usual)
    yield (lambda seconds: run(usual)) if compiled else cold


# ---------------------------------------------------------------- recorded games


class Recording(NamedTuple):
    """A state, the actions for the steps that follow, and the number of game steps among these steps.

    With Gymnasium's autoreset, the call after the end of a game starts a new game. It does not count as a game step.
    """

    start: Any
    actions: list[Any]
    steps: int


def random_actions(envs: Any, obs: Any, rng: np.random.Generator) -> np.ndarray:
    return envs.action_space.sample()


def record(envs: Any, choose: Choose, burn_in: int) -> Recording:
    """Play `burn_in` steps, during which every game is restarted once, each at a different time, and then record."""
    games, rng = int(envs.num_envs), np.random.default_rng(0)
    envs.action_space.seed(0)
    obs, _ = envs.reset(seed=0)
    for step in range(burn_in):
        obs = envs.step(choose(envs, obs, rng))[0]
        restarted: NDArray[np.bool_] = np.arange(games) % burn_in == step
        if restarted.any():
            obs, _ = envs.reset(options={"reset_mask": restarted})
    start, steps, ended = envs.get_state(), 0, 0
    actions: list[np.ndarray] = []
    for _ in range(min(max(RECORDED // games, SHORTEST), LONGEST)):
        actions.append(choose(envs, obs, rng).copy())
        obs, _, terminated, truncated, _ = envs.step(actions[-1])
        steps += games - ended
        ended = int(np.count_nonzero(terminated | truncated))
    return Recording(start, actions, steps)


def replayed(envs: Any, recording: Recording, into: bool = False) -> Measure:
    """Measure the game steps per second of `envs.step`, or of `envs.step_into` with buffers that the caller owns.

    The results of a step are kept until the next one, as in a training loop.
    """
    step = _step_into(envs) if into else envs.step
    kept: list[Any] = [None]

    def measured(seconds: float) -> float:
        spent, passes = 0.0, 0
        while spent < seconds or not passes:
            envs.set_state(recording.start)
            began = time.perf_counter()
            for actions in recording.actions:
                kept[0] = step(actions)
            spent += time.perf_counter() - began
            passes += 1
        return passes * recording.steps / spent

    measured(0)  # warms up
    return measured


def _step_into(envs: Any) -> Callable[[Any], None]:
    """Return a function that plays a step and writes the results into the same arrays each time."""
    if not hasattr(envs, "step_into"):
        raise Unavailable("there is no step_into")
    if hasattr(envs, "make_buffers"):
        buffers = envs.make_buffers()
    else:
        games = envs.num_envs
        obs: Any = create_empty_array(envs.single_observation_space, games)
        buffers = obs, np.zeros(games), np.zeros(games, np.bool_), np.zeros(games, np.bool_)
    step_into = envs.step_into
    return lambda actions: step_into(actions, *buffers)


class Batches:
    """Batches of the same kind that differ in the number of games, the number of threads and the use of copies.

    `make(games, copy=..., num_threads=...)` makes a batch, and `choose` chooses the actions that are recorded. The
    recording for the most recent size is kept, so that all variants play the same games.
    """

    def __init__(self, make: Callable[..., Any], choose: Choose = random_actions, burn_in: int = 100):
        self.make, self.choose, self.burn_in = make, choose, burn_in
        self._last: tuple[int, Recording] | None = None

    def recording(self, games: int) -> Recording:
        if self._last is None or self._last[0] != games:
            envs = self.make(games, copy=False, num_threads=1)
            self._last = games, record(envs, self.choose, self.burn_in)
            envs.close()
        return self._last[1]

    @contextmanager
    def speed(
        self, games: int, threads: int = 1, copy: bool = False, into: bool = False
    ) -> Generator[Measure, None, None]:
        """Measure the game steps per second. The time includes resets but not the choice of actions."""
        envs = self.make(games, copy=copy, num_threads=threads)
        try:
            yield replayed(envs, self.recording(games), into)
        finally:
            envs.close()

    @contextmanager
    def two_at_once(self, games: int) -> Generator[Measure, None, None]:
        """Measure two independent batches, each with half of the games, in two threads at the same time."""
        with self.speed(games // 2) as first, self.speed(games // 2) as second:
            yield at_once(first, second)

    def group(
        self,
        name: str,
        games: int,
        aim: Aim | None = None,
        *,
        into: Aim | None = None,
        copies: Aim | None = None,
        threads: Aim | None = None,
    ) -> Group:
        """Return the lines for batches of this size: `step` with copy=False on one thread, and `step_into`.

        `into` is the target value for `step_into`. If the target values `copies` and `threads` are given, the group
        also compares copy=True with copy=False, and two threads with one thread. Two independent batches running at
        once show what two cores can do.
        """
        unit = "steps/s"
        figures = [
            Figure(name, unit, lambda: self.speed(games), aim),
            Figure(f"{name}, step_into", unit, lambda: self.speed(games, into=True), into),
        ]
        ratios = [Ratio(f"{name}, step_into / step", f"{name}, step_into", name)]
        if copies is not None:
            figures.append(Figure(f"{name}, copy=True", unit, lambda: self.speed(games, copy=True)))
            ratios.append(Ratio(f"{name}, copy=True / copy=False", f"{name}, copy=True", name, copies))
        if threads is not None:
            figures.append(Figure(f"{name}, 2 threads", unit, lambda: self.speed(games, threads=2)))
            figures.append(Figure(f"{name}, two halves at once", unit, lambda: self.two_at_once(games)))
            ratios.append(Ratio(f"{name}, 2 threads / 1 thread", f"{name}, 2 threads", name, threads))
            ratios.append(Ratio(f"{name}, two halves at once / one batch", f"{name}, two halves at once", name))
        return Group(figures, ratios)


@contextmanager
def single(env: Any, choose: Callable[[Any, np.random.Generator], Any]) -> Generator[Measure, None, None]:
    """Measure how many steps per second `env.step` plays, including the resets after the end of a game.

    The games are recorded first, in the same way as those of a batch. `choose(obs, rng)` chooses the actions.
    """
    rng = np.random.default_rng(0)
    obs, _ = env.reset(seed=0)
    start = env.get_state()
    actions: list[Any] = []
    for _ in range(2 * LONGEST):
        actions.append(choose(obs, rng))
        obs, _, terminated, truncated, _ = env.step(actions[-1])
        if terminated or truncated:
            obs, _ = env.reset()

    def work() -> int:
        env.set_state(start)
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return len(actions)

    yield repeated(work)
    env.close()


# ---------------------------------------------------------------- warming up


def call_everything(env: Any) -> None:
    """Call each part of an environment once so that everything is compiled, then close the environment."""
    env.reset(seed=0)
    env.action_mask()
    env.step(env.action_space.sample())
    env.render()
    env.state_hash()
    env.close()

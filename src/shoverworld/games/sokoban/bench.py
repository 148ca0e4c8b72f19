"""The benchmarks of Sokoban and their target values.

Unless a line says otherwise, the games use 1000 stored 10x10 rooms with 4 boxes, random moves in four directions and
120 steps per game, and batches run on one thread with autoreset, copy=False and planes that are written in place.

The target values for the batches are fractions of the speed that a minimal engine in plain C reaches with the same
rooms, the same moves and caller-owned buffers: 78, 141, 108 and 107 million steps per second with 64, 1024, 4096 and
8192 games.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import cycle
from typing import Any

import gymnasium as gym

import shoverworld
from shoverworld.core.measuring import Aim, Batches, Figure, Group, Measure, repeated, single

ID, ROOMS, MAX_STEPS = "shoverworld/Sokoban-4a-v0", 1000, 120


@cache
def levels() -> tuple[Any, ...]:
    return tuple(shoverworld.sokoban.generate(seed, rows=10, cols=10, boxes=4) for seed in range(ROOMS))


def make(games: int, id: str, **settings: Any) -> Any:
    chosen: dict[str, Any] = {"observation": "planes", "max_steps": MAX_STEPS, **settings}
    return gym.make_vec(id, num_envs=games, vectorization_mode="vector_entry_point", **chosen)


def stored(games: int, **settings: Any) -> Any:
    """Make a batch that plays the stored rooms, or other levels."""
    return make(games, ID, **{"levels": levels(), **settings})


def batches(make: Callable[..., Any] = stored, **settings: Any) -> Batches:
    return Batches(partial(make, **settings), burn_in=MAX_STEPS)


def one_env(id: str = ID, **keywords: Any) -> Any:
    settings: dict[str, Any] = {"levels": levels(), "max_steps": MAX_STEPS, **keywords}
    env: Any = gym.make(id, disable_env_checker=True, **settings).unwrapped
    return single(env, lambda obs, rng: int(rng.integers(0, env.action_space.n)))


@contextmanager
def resets(envs: Any) -> Generator[Measure, None, None]:
    """Measure the resets per second of `envs.reset`."""
    envs.reset(seed=0)

    def work() -> int:
        envs.reset()
        return envs.num_envs

    yield repeated(work)
    envs.close()


@contextmanager
def solved() -> Generator[Measure, None, None]:
    """Measure how many rooms per second the solver solves and proves optimal."""
    rooms = cycle(levels())

    def work() -> int:
        shoverworld.sokoban.solve(next(rooms), time_limit=60)
        return 1

    yield repeated(work)


def groups() -> Iterator[Group]:
    """Yield the lines for `shover bench`."""
    yield Group([Figure("one env", "steps/s", one_env, Aim(700e3))])
    rooms = batches()
    yield rooms.group("batch of 64", 64, Aim(0.3 * 78e6))
    yield rooms.group("batch of 1024", 1024, Aim(0.6 * 141e6), into=Aim(0.9 * 141e6))
    yield rooms.group("batch of 4096", 4096, Aim(0.75 * 108e6), into=Aim(0.9 * 108e6), threads=Aim(1.5))
    yield rooms.group("batch of 8192", 8192, Aim(0.8 * 107e6), into=Aim(0.9 * 107e6), copies=Aim(0.8), threads=Aim(1.7))
    yield rooms.group("batch of 16384", 16384, threads=Aim(1.8))
    yield rooms.group("batch of 32768", 32768, threads=Aim(1.9))
    fresh = batches(make, id="shoverworld/Sokoban-v0")
    yield Group([Figure("batch of 8192, a new room for each game", "steps/s", lambda: fresh.speed(8192), Aim(2e6))])
    yield Group([Figure("resets in a batch of 8192", "resets/s", lambda: resets(stored(8192, copy=False)), Aim(1e6))])
    for name in ("Sokoban-small-v0", "Sokoban-v0", "Sokoban-huge-v0"):
        drawn = partial(make, 32, f"shoverworld/{name}", copy=False)
        yield Group([Figure(f"rooms generated, {name}", "rooms/s", lambda drawn=drawn: resets(drawn()))])
    yield Group([Figure("rooms solved with the fewest pushes", "rooms/s", solved)])

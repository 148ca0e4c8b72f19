"""`shover warmup`: compile everything now."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any


def add(commands: Any) -> None:
    warmup = commands.add_parser("warmup", help="compile everything now, so that later starts are quick")
    warmup.add_argument("--game", help="only this one: shover, sokoban or race (default: all)")
    warmup.set_defaults(run=warm_up)


def warm_up(chosen: argparse.Namespace) -> None:
    import time

    from rich.console import Console
    from rich.progress import track

    from shoverworld.agents.games import TITLES
    from shoverworld.core.checks import word
    from shoverworld.core.jit import cache_folder

    rooms = {"shover": _shover, "sokoban": _sokoban, "race": _race}
    games = [word("game", chosen.game, rooms)] if chosen.game is not None else list(rooms)
    shows = sys.stderr.isatty()
    began = time.perf_counter()
    for game in games:
        parts = list(rooms[game]())
        console = Console(stderr=True)
        for part in track(parts, f"compiling {TITLES[game]}", console=console, disable=not shows, transient=True):
            part()
    print(f"compiled in {time.perf_counter() - began:.1f} s; kept in {cache_folder().parent}")


def _shover() -> Iterator[Callable[[], Any]]:
    """What there is to be compiled, one thing after the other."""
    from shoverworld import bench
    from shoverworld.agents.match import run
    from shoverworld.agents.tasks import map_task
    from shoverworld.games.shover.config import Rules
    from shoverworld.games.shover.maps import Map

    yield lambda: bench.batched(0.01, 8, 1, True)
    yield lambda: bench.single(0.01)
    for preset in ("phase2", "walker"):
        task = map_task("", Map.parse("A.B.L"), Rules.preset(preset))
        for agent in ("planner", "phase2-astar"):
            yield lambda task=task, agent=agent: run(task, agent, time_limit=60)


def _sokoban() -> Iterator[Callable[[], Any]]:
    from shoverworld.agents.match import run
    from shoverworld.agents.tasks import level_task
    from shoverworld.games.sokoban.levels import Level
    from shoverworld.games.sokoban.rooms import generate_room

    yield lambda: generate_room(0)
    level = Level.parse("#####\n#@$.#\n#####")
    for observation in ("planes", "grid", "rgb", "tiny_rgb"):
        yield lambda observation=observation: _one_game("Sokoban-v0", observation)
        yield lambda observation=observation: _many_games("Sokoban-v0", observation)
    for variant in ("FixedTarget-Sokoban-v0", "PushAndPull-Sokoban-v0", "TwoPlayer-Sokoban-v0", "Sokoban-4a-v0"):
        yield lambda variant=variant: _one_game(variant, "planes")
        yield lambda variant=variant: _many_games(variant, "planes")
    for agent in ("planner", "random"):
        yield lambda agent=agent: run(level_task("", level, steps=10), agent, time_limit=60)


def _race() -> Iterator[Callable[[], Any]]:
    from shoverworld.bench import race
    from shoverworld.games.race.planner import solve
    from shoverworld.games.race.tracks import bundled

    yield lambda: race.batched(0.01, 8, 1, True)
    yield lambda: race.single(0.01)
    yield lambda: _one_game("Race-v0", "view")
    yield lambda: solve(bundled("01-straight"))
    for agent in ("greedy", "optimal", "racer"):
        yield lambda agent=agent: _one_race(agent)


def _one_race(agent: str) -> None:
    from shoverworld.agents.load import load
    from shoverworld.games.race.env import RaceEnv

    env = RaceEnv(cars=2, max_rounds=5)
    obs, info = env.reset(seed=0)
    player = load(agent, env)
    player.reset(info)
    player.act(obs, info)


def _one_game(name: str, observation: str) -> None:
    from shoverworld.agents.games import made

    env: Any = made((f"shoverworld/{name}", {"observation": observation, "render_mode": "rgb_array"}))
    env.reset(seed=0)
    env.action_mask()
    env.step(env.action_space.sample())
    env.render()
    env.state_hash()
    env.close()


def _many_games(name: str, observation: str) -> None:
    from shoverworld.games.sokoban.vector import SokobanVectorEnv

    envs: Any = SokobanVectorEnv(num_envs=8, rules=name, observation=observation)
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
    envs.close()

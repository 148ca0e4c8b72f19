"""`shover warmup`: compile everything in advance, several games at the same time."""

import argparse
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, redirect_stderr
from typing import Any

from rich.progress import track

from shoverworld.agents.load import load, names
from shoverworld.arena.jobs import Work, in_order
from shoverworld.core.game import Game
from shoverworld.core.jit import compiles
from shoverworld.core.kernel_cache import cache_home, cache_problem
from shoverworld.core.task import made
from shoverworld.games import all_games, game_named
from shoverworld.terminal.console import SafeConsole


def run(chosen: argparse.Namespace) -> int:
    if not compiles():
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    games = [game_named(chosen.game)] if chosen.game is not None else list(all_games().values())
    jobs = min(os.cpu_count() or 1, len(games))
    began = time.perf_counter()
    problem = _compile_here(games) if jobs == 1 else _compile_in_processes(games, jobs)
    seconds = f"compiled in {time.perf_counter() - began:.1f} s"
    if problem:
        print(f"{seconds}, but not stored: {problem}", file=sys.stderr)
        return 1
    print(f"{seconds}; stored in {cache_home()}")
    return 0


def _compile_here(games: list[Game]) -> str | None:
    """Compile the games one by one. Return why the kernels could not be stored, or None on success."""
    for game in games:
        parts = list(_parts(game))
        for part in _progress(parts, game.title, len(parts)):
            part()
    return cache_problem()


def _compile_in_processes(games: list[Game], jobs: int) -> str | None:
    """Compile each game in one of `jobs` processes. Return why the kernels could not be stored, or None on success."""
    with closing(in_order(Work(_compile_quietly, [game.name for game in games], jobs=jobs))) as problems:
        found = list(_progress(problems, ", ".join(game.title for game in games), len(games)))
    return next(filter(None, found), None)


def _compile_quietly(shared: None, name: str) -> str | None:
    """Compile a game in a child process, and hide its messages, which would disturb the progress bar."""
    with redirect_stderr(io.StringIO()):
        for part in _parts(game_named(name)):
            part()
    return cache_problem()


def _progress(steps: Iterable[Any], what: str, total: int) -> Iterable[Any]:
    """Iterate over the steps and show a progress bar, if there is a terminal."""
    console, shows = SafeConsole(stderr=True), sys.stderr.isatty()
    return track(steps, f"compiling {what}", total=total, console=console, disable=not shows, transient=True)


def _parts(game: Game) -> Iterator[Callable[[], Any]]:
    """Yield functions that compile the game's code or play one move with each of its agents."""
    if game.warmup is not None:
        yield from game.warmup()
    for agent in names(game.name):
        yield lambda agent=agent: _one_move(game, agent)


def _one_move(game: Game, agent: str) -> None:
    board = game.levels.boards()[0]
    env = made(game.levels.environment(board, board.preset).recipe())
    obs, info = env.reset(seed=0, options=game.levels.options(board))
    player = load(agent, env)
    player.reset(info)
    player.act(obs, info)

"""`shover warmup`: compile everything in advance."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.progress import track

from shoverworld.agents.load import load, names
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
    games = [game_named(chosen.game)] if chosen.game is not None else all_games().values()
    began = time.perf_counter()
    for game in games:
        parts = list(_parts(game))
        shows, console = sys.stderr.isatty(), SafeConsole(stderr=True)
        for part in track(parts, f"compiling {game.title}", console=console, disable=not shows, transient=True):
            part()
    seconds = f"compiled in {time.perf_counter() - began:.1f} s"
    if problem := cache_problem():
        print(f"{seconds}, but not stored: {problem}", file=sys.stderr)
        return 1
    print(f"{seconds}; stored in {cache_home()}")
    return 0


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

"""`shover race`: play a multiplayer game with people and agents, in a window or in the terminal."""

import argparse

from shoverworld.core.errors import ConfigError
from shoverworld.games import game_named

from . import play


def run(chosen: argparse.Namespace) -> int:
    game = game_named(chosen.game)
    if not game.multiplayer:
        raise ConfigError(f"--game {chosen.game}: {game.title} is a game for one player; expected a multiplayer game")
    return play.run(chosen)

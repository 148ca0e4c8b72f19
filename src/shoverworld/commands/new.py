"""`shover new agent`: write an agent with comments and a test for it, to start from."""

import argparse
import re

from shoverworld.core.errors import ConfigError
from shoverworld.core.files import write_safely
from shoverworld.core.game import Game
from shoverworld.games import all_games, game_named

from .shared import keep_existing

AGENT = '''\
"""An agent for {title}.

Watch it:     shover watch LEVEL --agent {file}
Measure it:   shover compare --game {game} LEVEL --agents random,{file}
Before you hand it in:   shover grade --practice --game {game} {file}
"""


class {name}:
    """Looks one move ahead: tries every valid action on its own copy of the game and takes the one with most reward."""

    def __init__(self, env, seed=None):
        # `env` is the agent's own copy of the game, already at the start: nothing done to it changes the real game. The time
        # used here counts. `seed` is the same whenever the same game is played again.
        self.env = env.unwrapped

    def reset(self, info):
        """Called once before the first move. `info` describes the start."""

    def act(self, obs, info):
        """Return the next action. The copy of the game is always in the current state when this method is called."""
        now = self.env.get_state()
        best, most = None, float("-inf")
        for action in self.env.valid_actions():
            reward = self.env.step(action)[1]
            self.env.set_state(now)
            if reward > most:
                best, most = action, reward
        return self.env.action_of(0) if best is None else best
'''
TEST = '''\
"""Tests for {file}: `python -m pytest {test}`."""

from pathlib import Path

import gymnasium
import shoverworld  # noqa: F401 - registers the environments
from shoverworld.agents.referee import play

AGENT = Path(__file__).with_name("{file}")


def test_the_agent_plays_a_game_without_failing():
    env = gymnasium.make("{env_id}")
    result = play(env, AGENT, seed=1, time_limit=60)
    assert result.error is None
    assert result.steps > 0


def test_the_agent_plays_the_same_game_twice_in_the_same_way():
    games = [play(gymnasium.make("{env_id}"), AGENT, seed=2, time_limit=60) for _ in range(2)]
    assert games[0].actions == games[1].actions
'''


def run(chosen: argparse.Namespace) -> int:
    path = chosen.file
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise ConfigError(f"{path}: expected the name of a Python file, such as my_agent.py")
    game = game_named(chosen.game or next(iter(all_games())))
    test = path.with_name(f"test_{path.name}")
    keep_existing([path, test], chosen.force)
    for target, text in ((path, AGENT), (test, TEST)):
        write_safely(target, text.format(**_words(game, path.name, test.name)))
    print(f"Saved {path} and {test}. Try it: shover grade --practice --game {game.name} {path}")
    return 0


def _words(game: Game, file: str, test: str) -> dict[str, str]:
    name = "".join(part.capitalize() for part in re.split(r"_+", file.removesuffix(".py")) if part)
    return {"title": game.title, "game": game.name, "file": file, "test": test, "name": name, "env_id": game.default_id}

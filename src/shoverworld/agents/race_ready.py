"""A tiny race, on which the players of the grid race are compiled before any clock runs: that is no thinking."""

from functools import lru_cache

from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.tracks import Track


@lru_cache(maxsize=1)
def tiny_race() -> RaceEnv:
    """Two cars side by side, not yet under way. Nobody drives it."""
    env = RaceEnv(Track.parse("S...F\nS...F"), cars=2)
    env.reset(seed=0)
    return env

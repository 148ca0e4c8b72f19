"""Import the package's own planner in another way."""

import importlib


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        planner = importlib.import_module("shoverworld.games.shover.planner")
        raise AssertionError(f"BREACH: {planner}")

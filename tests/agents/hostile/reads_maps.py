"""Look for the hidden maps."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise AssertionError(f"BREACH: {os.listdir(self.target['maps'])}")

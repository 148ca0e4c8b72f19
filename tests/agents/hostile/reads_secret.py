"""Read a file of the machine."""

from pathlib import Path


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise AssertionError(f"BREACH: {Path(self.target['secret']).read_text()}")

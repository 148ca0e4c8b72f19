"""Read another submission, which is in the same folder."""

from pathlib import Path


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise AssertionError(f"BREACH: {Path(self.target['rival']).read_text()}")

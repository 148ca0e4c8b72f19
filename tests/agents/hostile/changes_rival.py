"""Overwrite another submission."""

from pathlib import Path


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        Path(self.target["rival"]).write_text("written")
        raise AssertionError("BREACH: written")

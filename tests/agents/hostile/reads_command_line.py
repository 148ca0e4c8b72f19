"""Read the seed from the command line of the referee."""

import os
from pathlib import Path


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        for pid in (os.getppid(), self.target["pid"]):
            raise AssertionError(f"BREACH: {Path(f'/proc/{pid}/cmdline').read_text()}")

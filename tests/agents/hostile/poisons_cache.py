"""Replace compiled kernels, which are pickles, by other pickles."""

import os
from pathlib import Path


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        kernels = list(Path(os.environ["SHOVERWORLD_CACHE"]).rglob("*.nbc"))
        assert kernels, "there are no kernels"
        kernels[0].write_bytes(b"changed")
        raise AssertionError("BREACH: written")

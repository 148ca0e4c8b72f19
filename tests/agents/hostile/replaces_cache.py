"""Put another folder in the place of the kernel cache."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        cache = os.environ["SHOVERWORLD_CACHE"]
        os.rename(cache, cache + "-old")
        raise AssertionError("BREACH: renamed")

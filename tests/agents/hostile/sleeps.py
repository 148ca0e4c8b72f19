"""Wait without computing."""

import time


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        time.sleep(10_000)
        return 0, 0, 1

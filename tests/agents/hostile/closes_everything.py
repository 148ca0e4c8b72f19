"""Close all pipes, and go on."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os.closerange(0, 64)
        while True:
            pass

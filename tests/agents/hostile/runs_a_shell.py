"""Replace this process by another program."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os.execv("/bin/sh", ["sh", "-c", "sleep 1000"])
        return 0, 0, 1

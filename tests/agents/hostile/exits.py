"""End the process as if everything were done."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os._exit(0)

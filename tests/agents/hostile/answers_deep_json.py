"""Answer with 60,000 nested lists."""

import os
import stat


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
        os.write(pipe(), b"[" * 60_000 + b"\n")
        return 0, 0, 1

"""Answer with NaN."""

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
        os.write(pipe(), b'{"number": 3, "error": null, "code": "", "value": [NaN, Infinity, 1]}\n')
        return 0, 0, 1

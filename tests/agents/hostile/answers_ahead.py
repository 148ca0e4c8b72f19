"""Write 12,000 answers ahead, and stop so that the referee waits in its own write."""

import os
import signal
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
        place = pipe()
        os.set_blocking(place, False)
        line = b'{"number": 4, "error": null, "code": "", "value": [0, 0, 1]}\n'
        try:
            for _ in range(12_000):
                os.write(place, line)
        except BlockingIOError:
            pass
        os.kill(os.getpid(), signal.SIGSTOP)
        return 0, 0, 1

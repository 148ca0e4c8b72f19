"""Answer with a pickle that runs a command."""

import os
import pickle
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
        class Command:
            def __reduce__(self):
                return os.system, ("touch /tmp/breach",)

        os.write(pipe(), pickle.dumps(Command()) + b"\n")
        return 0, 0, 1

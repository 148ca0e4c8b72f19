"""Answer from a thread, with the numbers of all questions that may come, while act() answers too."""

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
            self.thread = threading.Thread(target=self.answer, args=(pipe(),), daemon=True)
            self.thread.start()
        self.thread.join(0.05)
        return 0, 0, 1

    def answer(self, place):
        # One write of at most 4096 bytes is never split, so the referee finds answers that it has not asked for. Single lines
        # could arrive just in time, each after its question.
        for first in range(3, 100_000, 40):
            lines = [
                f'{{"number": {number}, "error": null, "code": "", "value": [0, 0, 1]}}\n'
                for number in range(first, first + 40)
            ]
            os.write(place, "".join(lines).encode())

"""Fill the disk."""

import signal


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for number in range(1000):
            with open(f"/tmp/{number}", "wb") as file:
                file.write(bytes(1 << 20))
        raise AssertionError("BREACH: written")

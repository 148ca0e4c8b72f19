"""Read the commands of the referee from the pipe, before the program of the sandbox does."""

import os
import stat


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        for place in range(3, 64):
            try:
                if stat.S_ISFIFO(os.fstat(place).st_mode):
                    os.set_blocking(place, False)
                    os.read(place, 1 << 20)
            except OSError:
                pass
        while True:
            pass

"""Use 10 GB of shared memory, which does not count as private."""

import mmap


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        self.data = [mmap.mmap(-1, 1 << 28) for _ in range(40)]
        raise AssertionError("BREACH: allocated")

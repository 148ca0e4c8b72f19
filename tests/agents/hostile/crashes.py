"""Read from address 0."""

import ctypes


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        ctypes.string_at(0)
        return 0, 0, 1

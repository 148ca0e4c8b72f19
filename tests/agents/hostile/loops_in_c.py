"""Compute for hours in C code, which Python cannot interrupt."""

import itertools


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        return sum(itertools.repeat(1, 1 << 60))

"""Raise an exception with a text of 50 MB."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise RuntimeError("\x1b[2J" * 10_000_000)

"""Raise an error whose text raises an error, whose text takes forever."""


class Worse(Exception):
    def __str__(self):
        while True:
            pass


class Bad(Exception):
    def __str__(self):
        raise Worse


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise Bad

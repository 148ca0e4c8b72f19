"""Change the installed package, so that the next run executes this code."""

import shoverworld


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        with open(shoverworld.__file__, "a") as file:
            file.write("# changed")
        raise AssertionError("BREACH: written")

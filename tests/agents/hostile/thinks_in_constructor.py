"""Think before the clock is expected to run."""


class Hostile:
    def __init__(self, target):
        self.total = 0
        while True:
            self.total += 1

    def act(self, obs, info):
        return 0, 0, 1

"""Return an integer that would fill the page."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        return 10**4000, 0, 1

"""Print without end."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        while True:
            print("x" * 100_000)

"""Use 10 GB of memory."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        self.data = [b"x" * (1 << 26) for _ in range(160)]
        raise AssertionError("BREACH: allocated")

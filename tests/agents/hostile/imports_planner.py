"""Let the package's own planner play."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        from shoverworld.games.shover.planner import solve

        raise AssertionError(f"BREACH: {solve}")

"""Play the whole game, and let the referee ask for a plan that never ends and contains itself."""


class Hostile:
    def __init__(self, target):
        self.target = target
        self.expanded = []
        self.expanded.append(self.expanded)

    @property
    def plan(self):
        return {str(number): "x" * 1000 for number in range(100_000)}

    def act(self, obs, info):
        return 0, 0, 1

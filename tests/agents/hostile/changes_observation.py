"""Change the observation and the info."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        obs["grid"][:] = 1
        info.update(outcome="cleared", number_of_boxes=0, stamina=1e9)
        return 1, 1, 1

"""Write to the memory of the referee, to change the stamina in the table."""


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        with open(f"/proc/{self.target['pid']}/mem", "r+b") as memory:
            raise AssertionError(f"BREACH: {memory}")

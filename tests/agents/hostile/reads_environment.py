"""Report every environment variable."""

import os


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        raise RuntimeError(" ".join(sorted(os.environ)))

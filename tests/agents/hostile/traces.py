"""Trace the referee."""

import ctypes


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.ptrace(16, self.target["pid"], 0, 0) == 0:  # PTRACE_ATTACH
            raise AssertionError("BREACH: attached")
        raise OSError(ctypes.get_errno(), "refused")

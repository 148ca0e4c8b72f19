"""Make a user namespace, in which this process would be root."""

import ctypes


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(0x10000000) == 0:
            raise AssertionError("BREACH: a namespace was made")
        raise OSError(ctypes.get_errno(), "refused")

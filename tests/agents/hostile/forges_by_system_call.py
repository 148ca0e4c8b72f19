"""Write to the memory of the referee with process_vm_writev."""

import ctypes


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.process_vm_writev(self.target["pid"], None, 0, None, 0, 0) == 0:
            raise AssertionError("BREACH: the call was allowed")
        raise OSError(ctypes.get_errno(), "refused")

"""Look for open files that the referee or the sandbox left behind."""

import os
import stat
from contextlib import suppress

KINDS = {stat.S_IFIFO: "pipe", stat.S_IFCHR: "device"}  # the answers, the commands, and /dev/null


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        kinds = []
        for place in range(3, 4096):
            with suppress(OSError):
                kinds.append(KINDS.get(stat.S_IFMT(os.fstat(place).st_mode), "BREACH"))
        raise RuntimeError(" ".join(sorted(kinds)))

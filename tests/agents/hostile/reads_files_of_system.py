"""Read what a Linux system tells about itself and its users."""

import os
from pathlib import Path

PLACES = ("/etc/passwd", "/etc/hostname", "/etc/resolv.conf", "/proc/version", "/proc/cmdline", "/proc/1/environ",
          "/proc/self/mountinfo", "/proc/self/environ", "/proc/meminfo", "/sys/kernel/mm", "/root", "/home", "/var/log")  # fmt: skip


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        for place in PLACES:
            try:
                found = os.listdir(place) if os.path.isdir(place) else Path(place).read_bytes()
            except OSError:
                continue
            if found:
                raise RuntimeError(f"BREACH {place}")
        return 0, 0, 1

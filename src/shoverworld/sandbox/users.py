"""An unused user id for a contained process that root starts.

A user of its own has no files, no other processes and its own limit on threads. The users are taken from a range that no
distribution uses, as systemd does for its dynamic users.
"""

import secrets
from pathlib import Path

_RANGE = range(1_879_048_192, 1_879_048_192 + (1 << 20))  # 0x70000000
_SMALL_RANGE = range(61184, 65520)  # systemd's dynamic users; containers often have only 65536 users


def unused_user() -> int:
    """Return a user id, chosen at random, that this user namespace has."""
    lines = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    for users in (_RANGE, _SMALL_RANGE):
        if any(first <= users[0] and users[-1] < first + count for first, _, count in lines):
            return secrets.choice(users)
    return 65534  # nobody

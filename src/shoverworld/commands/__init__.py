"""The commands of `shover`, one a file: `add` describes its options, `run` does the work.

What a command needs is imported when it runs: `shover --help` must not wait for Numba.
"""

from . import bench, demo, envs, generate, replay, warmup

COMMANDS = (demo, replay, envs, generate, bench, warmup)

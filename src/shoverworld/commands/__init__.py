"""The commands of `shover`, one a file: `add` describes its options, `run` does the work.

What a command needs is imported when it runs: `shover --help` must not wait for Numba.
"""

from . import bench, compare, demo, edit, envs, generate, maps, play, race, replay, solve, tournament, warmup, watch

COMMANDS = (demo, play, race, edit, maps, solve, watch, compare, tournament, replay, generate, envs, bench, warmup)

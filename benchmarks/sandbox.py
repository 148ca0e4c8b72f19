"""Measure what the sandbox costs: `python benchmarks/sandbox.py`.

Each round starts an agent and plays moves with it, once for each protection, in turn, so that a busy machine slows down
all of them. The time until the agent is ready includes the start of Python, the imports and loading the compiled rules.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from shoverworld import ShoverWorldEnv
from shoverworld.agents.host import Containment, ProcessHost
from shoverworld.core.task import recipe_of
from shoverworld.sandbox import Protection

START_TARGET, MOVE_TARGET = 0.15, 0.2e-3  # seconds more than without a sandbox
AGENT = "def act(obs, info):\n    return 0, 0, 1\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10, help="games for each protection (default: %(default)s)")
    parser.add_argument("--moves", type=int, default=1000, help="moves in each game (default: %(default)s)")
    chosen = parser.parse_args()
    env = ShoverWorldEnv(rules="phase2", max_timestep=10**6)
    env.reset(seed=1)
    offered = [one for one in reversed(Protection) if one.available()]
    starts: dict[Protection, list[float]] = {one: [] for one in offered}
    moves: dict[Protection, list[float]] = {one: [] for one in offered}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "agent.py")
        path.write_text(AGENT)
        for number in range(chosen.rounds + 1):
            for one in offered:
                start, move = _measured(env, str(path), one, chosen.moves)
                if number:  # the first round fills the caches of the system
                    starts[one].append(start)
                    moves[one].append(move)
    return _report(starts, moves)


def _measured(env: ShoverWorldEnv, path: str, protection: Protection, count: int) -> tuple[float, float]:
    """Return the seconds until the agent is loaded, and the seconds per move."""
    began = time.perf_counter()
    host = ProcessHost(path, recipe_of(env), env.get_state(), Containment(protection=protection))
    try:
        host.ask(60.0, "load", path, {}, 1)
        host.ask(60.0, "reset")
        ready = time.perf_counter()
        action = tuple(host.ask(60.0, "act"))
        first = time.perf_counter()
        for _ in range(count):
            host.ask(60.0, "act", action)
        return ready - began, (time.perf_counter() - first) / count
    finally:
        host.close()


def _report(starts: dict[Protection, list[float]], moves: dict[Protection, list[float]]) -> int:
    base_start, base_move = median(starts[Protection.NONE]), median(moves[Protection.NONE])
    print(f"{'protection':<12} {'start':>9} {'more':>9} {'per move':>12} {'more':>12}")
    missed = False
    for one in starts:
        start, move = median(starts[one]), median(moves[one])
        more = start - base_start, move - base_move
        missed = missed or more[0] > START_TARGET or more[1] > MOVE_TARGET
        print(f"{one:<12} {start:8.3f}s {more[0]:+8.3f}s {move * 1e3:10.4f}ms {more[1] * 1e3:+10.4f}ms")
    print(f"Targets: at most {START_TARGET:g} s more per start and {MOVE_TARGET * 1e3:g} ms more per move: ", end="")
    print("missed" if missed else "met")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())

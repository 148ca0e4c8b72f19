"""Measure what the sandbox costs: `python benchmarks/sandbox.py`.

Each round starts an agent and plays moves with it, once for each protection, in turn, so that a busy machine slows down
all of them. The time until the agent is ready includes the start of Python, the imports and loading the compiled rules.
Processor time (of the referee, bubblewrap and the agent together) is printed too: on a busy machine, wall time says little.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from shoverworld import ShoverWorldEnv
from shoverworld.agents.host import Containment, ProcessHost
from shoverworld.core.task import recipe_of
from shoverworld.sandbox import Protection

START_TARGET, MOVE_TARGET = 0.15, 0.2e-3  # seconds more than without a sandbox
AGENT = "def act(obs, info):\n    return 0, 0, 1\n"


class Cost(NamedTuple):
    """Seconds: until the agent is loaded and for one move, of wall time and of processor time."""

    start: float
    move: float
    start_cpu: float
    move_cpu: float


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the sandbox costs.")
    parser.add_argument("--rounds", type=int, default=10, help="games for each protection (default: %(default)s)")
    parser.add_argument("--moves", type=int, default=1000, help="moves in each game (default: %(default)s)")
    chosen = parser.parse_args()
    env = ShoverWorldEnv(rules="phase2", max_timestep=10**6)
    env.reset(seed=1)
    offered = [one for one in reversed(Protection) if one.available()]
    costs: dict[Protection, list[Cost]] = {one: [] for one in offered}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "agent.py")
        path.write_text(AGENT)
        for number in range(chosen.rounds + 1):
            for one in offered:
                cost = _measured(env, str(path), one, chosen.moves)
                if number:  # the first round fills the caches of the system
                    costs[one].append(cost)
    return _report({one: Cost(*map(median, zip(*found, strict=True))) for one, found in costs.items()})


def _measured(env: ShoverWorldEnv, path: str, protection: Protection, count: int) -> Cost:
    began, own = time.perf_counter(), time.process_time()
    host = ProcessHost(path, recipe_of(env), env.get_state(), Containment(protection=protection))
    try:
        host.ask(60.0, "load", path, {}, 1)
        host.ask(60.0, "reset")
        ready, start_cpu = time.perf_counter(), time.process_time() - own + _agent(host)
        action = tuple(host.ask(60.0, "act"))
        first, used = time.perf_counter(), time.process_time() + _agent(host)
        for _ in range(count):
            host.ask(60.0, "act", action)
        move, move_cpu = time.perf_counter() - first, time.process_time() + _agent(host) - used
    finally:
        host.close()
    return Cost(ready - began, move / count, start_cpu, move_cpu / count)


def _agent(host: ProcessHost) -> float:
    """Return the processor time of the agent's process and of the processes of bubblewrap."""
    process = host._process
    above = int(Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[1])
    pids = {process.pid, process._child.pid, above} - {os.getpid()}
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)  # the kernel's clock of each process


def _report(costs: dict[Protection, Cost]) -> int:
    base, missed = costs[Protection.NONE], False
    for what, start, move in (("wall time", "start", "move"), ("processor time", "start_cpu", "move_cpu")):
        print(f"{what:<15} {'start':>9} {'more':>9} {'per move':>12} {'more':>12}")
        more: tuple[float, float] = (0.0, 0.0)
        for one, cost in costs.items():
            starts, moves = getattr(cost, start), getattr(cost, move)
            more = starts - getattr(base, start), moves - getattr(base, move)
            print(f"{one:<15} {starts:8.3f}s {more[0]:+8.3f}s {moves * 1e3:10.4f}ms {more[1] * 1e3:+10.4f}ms")
        missed = more[0] > START_TARGET or more[1] > MOVE_TARGET  # bubblewrap is the last one
        print(f"Targets: {START_TARGET:g} s more per start, {MOVE_TARGET * 1e3:g} ms more per move: ", end="")
        print("missed" if missed else "met")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())

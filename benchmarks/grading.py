"""Measure grading: the speed of two processes against one, and the memory of the grader over many games.

python benchmarks/grading.py speed --games 100    sandboxed games per second with one and with two processes
python benchmarks/grading.py memory --games 10000  memory of the grader; the games are short and not sandboxed
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from shoverworld.agents import referee
from shoverworld.arena import grading, parse_exam
from shoverworld.arena.grading import Machines, grade
from shoverworld.arena.one_game import Played
from shoverworld.arena.submissions import Submission
from shoverworld.core.recorder import Journal
from shoverworld.core.task import made

AGENT = """
class Agent:
    def __init__(self, env):
        self.env = env.unwrapped

    def act(self, obs, info):
        return self.env.valid_actions()[0]
"""
EXAM = """
game = "shover"
secret = "benchmark"
repetitions = {repetitions}
reference_seconds = 0.1
[rules]
max_timestep = 20
[[levels]]
places = ["01-first-push"]
"""


STARTING = 8  # games for each process during which other processes may still be starting


def exam(repetitions: int) -> Any:
    return parse_exam(EXAM.format(repetitions=repetitions))


def student(name: str) -> Submission:
    return Submission(name, "agent.py", {"agent.py": AGENT.encode()}, "agent.py")


def speed(games: int, rounds: int) -> None:
    """Print games per second with one process, with two, and with two graders that know nothing of each other.

    Only the games that are played while all processes are busy count: not the first ones, during which the processes start,
    and not the last ones. This needs an idle machine. Two separate graders share nothing but the machine, so they show what
    the machine allows; the processor time shows whether a game costs more while another one is played beside it.
    """
    rates: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, graders, processes in (
            ("one process", 1, 1),
            ("two processes", 1, 2),
            ("two separate graders", 2, 1),
        ):
            rate, busy = measured(games, graders, processes)
            rates.setdefault(name, []).append(rate)
            print(
                f"{name:21} {rate:6.2f} games per second, {busy / rate:.3f} s of processor time per game, "
                f"{busy:.2f} cores busy",
                flush=True,
            )
    one = statistics.median(rates.pop("one process"))
    for name, found in rates.items():
        print(f"{name:21} {statistics.median(found) / one:6.2f} times as fast as one process (median of {rounds})")


def measured(games: int, graders: int, processes: int) -> tuple[float, float]:
    """Return the games per second of all graders together, and how many cores were busy on the whole machine."""
    with ExitStack() as stack:
        outs = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(graders)]
        with ThreadPoolExecutor(graders) as pool:
            command = [
                sys.executable,
                __file__,
                "grade",
                "--games",
                str(games // graders),
                "--jobs",
                str(processes),
                "--out",
            ]
            runs = [pool.submit(subprocess.run, [*command, out], check=True, stdout=subprocess.PIPE) for out in outs]
        times = [[[float(word) for word in line.split()] for line in run.result().stdout.splitlines()] for run in runs]
    first, last = max(run[0][0] for run in times), min(run[-1][0] for run in times)
    inside = [[row for row in run if first <= row[0] <= last] for run in times]
    rate = sum((len(run) - 1) / (run[-1][0] - run[0][0]) for run in inside)
    began, ended = inside[0][0], inside[0][-1]
    return rate, (ended[1] - began[1]) / (ended[0] - began[0])


def grade_and_time(games: int, processes: int, out: str) -> None:
    """Grade, and print the time and the machine's processor time at the end of each game that counts."""
    rows: list[str] = []

    def ended(what: str, done: int, total: int) -> None:
        if what == "playing" and STARTING * processes <= done <= total - processes:
            rows.append(f"{time.monotonic()} {busy_seconds()}")

    grade(exam(games + STARTING * processes), [student("a")], out, machines=Machines(processes), progress=ended)
    print("\n".join(rows))


def busy_seconds() -> float:
    """Return the processor time that all programs and the kernel have used since the machine started."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def short_game(shared: Any, key: Any) -> Played:
    """Play a game with a packaged agent in this process, which takes milliseconds."""
    task = shared.levels[key[:2]].game_task(shared.exam, key[2])
    env = made(task.recipe)
    journal = Journal(env)
    game = referee.play(env, "random", task.seed, options=task.options)
    replay = journal.replay().to_text()
    return Played(
        game.outcome, game.outcome == task.game.won, game.steps, game.figures, 0, None, None, 0, 0, "", replay
    )


def resident() -> float:
    """Return the memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def memory(games: int) -> None:
    """Print the memory of the grader while it plays."""
    grading._game_job = short_game
    shown: list[float] = []

    def show(what: str, done: int, total: int) -> None:
        if what == "playing" and done % max(1, games // 10) == 0:
            shown.append(resident())
            print(f"{done:>7} games: {shown[-1]:.1f} MB", flush=True)

    with tempfile.TemporaryDirectory() as out:
        grade(exam(games), [student("a")], out, machines=Machines(2), progress=show)
    print(f"growth after the first tenth: {shown[-1] - shown[1]:+.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "memory", "grade"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="for `grade`, which `speed` calls")
    parser.add_argument("--out", help="for `grade`, which `speed` calls")
    chosen = parser.parse_args()
    if chosen.what == "speed":
        speed(chosen.games, chosen.rounds)
    elif chosen.what == "memory":
        memory(chosen.games)
    else:
        grade_and_time(chosen.games, chosen.jobs, chosen.out)

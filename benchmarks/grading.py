"""Measure grading: the speed of two processes against one, and the memory of the grader over many games.

python benchmarks/grading.py speed --games 60     sandboxed games per second with one and with two processes
python benchmarks/grading.py memory --games 10000  memory of the grader; the games are short and not sandboxed
"""

import argparse
import os
import resource
import tempfile
import time
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


def exam(repetitions: int) -> Any:
    return parse_exam(EXAM.format(repetitions=repetitions))


def student(name: str) -> Submission:
    return Submission(name, "agent.py", {"agent.py": AGENT.encode()}, "agent.py")


def speed(games: int) -> None:
    """Print the time for the same games with one and with two processes, without finding references.

    Wall time needs an idle machine. The processor time per game is printed too: if it is the same with two processes,
    they do not disturb each other, and only the number of free cores limits the speed.
    """
    seconds: dict[int, float] = {}
    cpu: dict[int, float] = {}
    for processes in (1, 2):
        began, before = 0.0, processor_time()

        def started(what: str, done: int, total: int) -> None:
            nonlocal began
            if what == "playing" and done == 4:  # every process is warm
                began = time.perf_counter()

        with tempfile.TemporaryDirectory() as out:
            grade(exam(games + 4), [student("a")], out, machines=Machines(processes), progress=started)
        seconds[processes] = time.perf_counter() - began
        cpu[processes] = (processor_time() - before) / (games + 4)
        print(
            f"{processes} process{'es' * (processes > 1)}: {games / seconds[processes]:.2f} games per second, "
            f"{cpu[processes]:.3f} s of processor time per game",
            flush=True,
        )
    print(f"two processes are {seconds[1] / seconds[2]:.2f} times as fast as one (wall time)")
    print(f"by processor time, two free cores are {2 * cpu[1] / cpu[2]:.2f} times as fast as one")


def processor_time() -> float:
    """Return the processor time of this process and of all processes that it has started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


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
    parser.add_argument("what", choices=("speed", "memory"))
    parser.add_argument("--games", type=int, default=60)
    chosen = parser.parse_args()
    {"speed": speed, "memory": memory}[chosen.what](chosen.games)

"""Kill a grader again and again, and compare its tables with those of an undisturbed run.

python -m tests.arena.kill_and_resume --students 30 --maps 40 --kills 20
python -m tests.arena.kill_and_resume --students 30 --maps 40 --ray       (in an environment with Ray: a node is killed)
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from shoverworld.arena import Machines, grade, read_exam, report
from shoverworld.arena.standings import final_table
from shoverworld.arena.store import FILE
from shoverworld.arena.tables import GAMES, STUDENTS
from tests.arena.class_of_students import write_class


def played(out: Path) -> int:
    """Return the number of games in the database."""
    try:
        with closing(sqlite3.connect(f"file:{out / FILE}?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.Error:
        return 0


TABLES = (STUDENTS, GAMES, "ranking.csv", "ranking.md")


def content(out: Path) -> list[object]:
    """Return the tables and the replays."""
    with closing(sqlite3.connect(out / FILE)) as db:
        replays = db.execute(
            "SELECT level_group, level, repetition, players, replay FROM games ORDER BY 1, 2, 3, 4"
        ).fetchall()
    return [*((out / name).read_bytes() for name in TABLES), replays]


def start(exam: Path, submissions: Path, out: Path, jobs: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "shoverworld.cli", "grade", str(exam), str(submissions), "--out", str(out)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "start_new_session": True}
    return subprocess.Popen([*command, "--jobs", str(jobs)], **quiet)


def finish(run: subprocess.Popen) -> None:
    _, errors = run.communicate()
    assert run.returncode == 1, errors.decode()  # the class contains submissions and maps that are skipped


def killed_run(exam: Path, submissions: Path, out: Path, jobs: int, kills: int, total: int, seed: int = 0) -> list[int]:
    """Kill the grader and its processes after random numbers of games, then let it finish. Return these numbers."""
    rng = random.Random(seed)
    moments = sorted(rng.sample(range(total), kills))
    done = []
    for moment in moments:
        run = start(exam, submissions, out, jobs)
        while played(out) < moment and run.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.3)  # at any moment of a game
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        done.append(played(out))
    finish(start(exam, submissions, out, jobs))
    return done


def ray_run(exam: Path, submissions: Path, out: Path, kill_at: int) -> None:
    """Grade on a cluster with two nodes, one of which is killed once `kill_at` games have been played."""
    from ray.cluster_utils import Cluster  # only in the environment of `make test-ray`

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    killed = threading.Event()

    def watch(what: str, done: int, total: int) -> None:
        if what == "playing" and done >= kill_at and not killed.is_set():
            killed.set()
            cluster.remove_node(second, allow_graceful=False)

    try:
        results = grade(exam, [submissions], out, machines=Machines(ray_address=cluster.address), progress=watch)
        assert killed.is_set()
        assert results.finished
        report.write_tables(read_exam(exam), results, final_table(read_exam(exam), results), out)
    finally:
        cluster.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--maps", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ray", action="store_true", help="kill a node of a Ray cluster instead of the grader")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep everything in this folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = chosen.keep or Path(folder)
        exam, submissions = home / "exam.toml", home / "submissions"
        if not exam.exists():
            write_class(home, chosen.students, chosen.maps)
        began = time.perf_counter()
        if not (home / "calm" / STUDENTS).exists():
            finish(start(exam, submissions, home / "calm", chosen.jobs))
        total = played(home / "calm")
        print(f"undisturbed: {total} games in {time.perf_counter() - began:.0f} s", flush=True)
        began = time.perf_counter()
        if chosen.ray:
            ray_run(exam, submissions, home / "ray", total // 3)
            print(f"two Ray nodes, one killed after {total // 3} games: {time.perf_counter() - began:.0f} s")
            other = home / "ray"
        else:
            moments = killed_run(exam, submissions, home / "killed", chosen.jobs, chosen.kills, total, chosen.seed)
            print(f"killed {len(moments)} times, after {moments} games: {time.perf_counter() - began:.0f} s")
            other = home / "killed"
        same = content(home / "calm") == content(other)
        print(f"tables and replays are {'identical' if same else 'DIFFERENT'}")
        sys.exit(not same)


if __name__ == "__main__":
    main()

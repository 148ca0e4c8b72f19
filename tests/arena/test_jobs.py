"""Tests of jobs in several processes: results, lost processes, errors, and what is left behind."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from shoverworld.arena.jobs import JobError, Lost, Work, in_order, run, warm_up_once
from shoverworld.cli import main
from shoverworld.core.errors import ConfigError
from tests.paths import ROOT


def square(shared: int, item: int) -> int:
    return shared + item * item


def kills_itself(shared: str, item: int) -> int:
    """Kill the process, for item 2 only the first time and for item 3 every time."""
    marker = Path(shared) / str(item)
    if item == 3 or (item == 2 and not marker.exists()):
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def raises(shared: type[Exception], item: int) -> int:
    if item == 1:
        raise shared("wrong number")
    return item


def process_id(shared: str, item: int) -> int:
    (Path(shared) / str(os.getpid())).touch()
    time.sleep(1000)
    return item


def write_line(path: str) -> None:
    with open(path, "a") as file:
        file.write("compiled\n")


class WarmUp:
    def __init__(self, path: Path):
        self.path = str(path)

    def __call__(self) -> None:
        write_line(self.path)


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_arrive_in_order(jobs):
    assert list(in_order(Work(square, range(20), 100, jobs))) == [100 + n * n for n in range(20)]


def test_no_items_need_no_processes():
    assert list(run(Work(square, [], 0, 4))) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_lost_process_costs_only_its_job(tmp_path):
    results = dict(run(Work(kills_itself, range(6), str(tmp_path), 2)))
    assert [results[n] for n in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]
    assert results[3] == Lost("the process that ran the job was lost")
    with pytest.raises(JobError, match="job 4 of 6 failed: the process that ran the job was lost"):
        list(in_order(Work(kills_itself, range(6), str(tmp_path), 2)))


def test_an_error_of_this_package_is_raised_as_it_is():
    with pytest.raises(ConfigError, match="wrong number"):
        list(run(Work(raises, range(3), ConfigError, 2)))


def test_another_error_is_raised_with_its_traceback():
    with pytest.raises(JobError, match=r"(?s)in raises.*KeyError: 'wrong number'"):
        list(run(Work(raises, range(3), KeyError, 2)))


def test_errors_can_be_repeated_and_reported():
    results = dict(run(Work(raises, range(3), KeyError, 2, keep_going=True)))
    assert (results[0], results[2]) == (0, 2) and "KeyError" in results[1].reason


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_the_processes_end_when_the_parent_is_killed(tmp_path):
    program = (
        "import sys; from shoverworld.arena.jobs import Work, run; from tests.arena.test_jobs import process_id\n"
        "if __name__ == '__main__': list(run(Work(process_id, range(2), sys.argv[1], 2)))"
    )
    (tmp_path / "main.py").write_text(program)
    ids = tmp_path / "ids"
    ids.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, str(tmp_path / "main.py"), str(ids)], env=environment)
    while len(list(ids.iterdir())) < 2:
        assert parent.poll() is None
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    children = [int(path.name) for path in ids.iterdir()]
    while any(running(child) for child in children):  # the test's time limit ends this loop
        time.sleep(0.02)


def running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def logged(shared: str, item: int) -> int:
    write_line(shared)
    return item * item


def test_a_journal_continues_a_run_that_was_stopped(tmp_path):
    log, work = tmp_path / "log", Work(logged, range(6), str(tmp_path / "log"), journal=tmp_path / "journal")
    with closing(run(work)) as results:
        assert [next(results) for _ in range(4)] == [(n, n * n) for n in range(4)]
    for jobs in (1, 2, 1):
        assert sorted(run(replace(work, jobs=jobs))) == [(n, n * n) for n in range(6)]
    assert len(log.read_text().splitlines()) == 6


def test_a_journal_keeps_no_lost_and_no_unfinished_results(tmp_path):
    work = Work(kills_itself, range(5), str(tmp_path), 2, journal=tmp_path / "journal", final=lambda item: item != 4)
    assert isinstance(dict(run(work))[3], Lost)
    with closing(sqlite3.connect(tmp_path / "journal")) as db:
        assert db.execute("SELECT job FROM results ORDER BY job").fetchall() == [(0,), (1,), (2,)]


@pytest.mark.parametrize("change", [{"shared": "b"}, {"items": range(2)}, {"depends_on": 1}, {"function": raises}])
def test_a_journal_of_other_work_is_rejected(tmp_path, change):
    work = Work(square, range(3), 1, journal=tmp_path / "journal")
    list(run(work))
    with pytest.raises(
        ConfigError, match=r"--journal .*: the file belongs to a run with other levels, agents or options"
    ):
        list(run(replace(work, **change)))


@pytest.mark.parametrize("content", [b"a level\n" * 100, "a database"])
def test_another_file_is_not_a_journal(tmp_path, content):
    path = tmp_path / "levels.txt"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE results (x)")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=r"levels.txt: not a journal: .*; choose another file"):
        list(run(Work(square, range(3), 1, journal=path)))
    assert path.read_bytes() == before


def test_the_commands_continue_from_a_journal(tmp_path, capsys):
    agent = tmp_path / "mine.py"
    agent.write_text("def act(obs, info):\n    return 0, 0, 1\n")
    kept = str(tmp_path / "new" / "kept")
    command = ["compare", "01-first-push", "--agents", f"{agent},greedy", "--out", str(tmp_path), "--journal", kept]
    assert main(command) == 0
    first, seconds = capsys.readouterr().out, re.compile(r"\d+\.\d+")
    assert main(command) == 0
    assert capsys.readouterr().out == first and seconds.search(first)  # also the times: nothing was played again
    agent.write_text("def act(obs, info):\n    return 0, 0, 2\n")
    assert main(command) == 2 and "--journal" in capsys.readouterr().err


def test_every_process_warms_up_before_its_first_job(tmp_path):
    log = tmp_path / "log"
    assert len(dict(run(Work(square, range(8), 0, 2, warm_up=WarmUp(log))))) == 8
    assert log.read_text().splitlines() in (["compiled"], ["compiled"] * 2)
    warm_up_once(None)

"""Tests of jobs in several processes: results, lost processes, errors, and what is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoverworld.arena.jobs import JobError, Lost, Work, in_order, run, warm_up_once
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


def test_every_process_warms_up_before_its_first_job(tmp_path):
    log = tmp_path / "log"
    assert len(dict(run(Work(square, range(8), 0, 2, warm_up=WarmUp(log))))) == 8
    assert log.read_text().splitlines() in (["compiled"], ["compiled"] * 2)
    warm_up_once(None)

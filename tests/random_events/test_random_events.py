"""Short runs with random events for each game and view, and tests that `Watch` finds defects.

For a long run, use `python -m tests.random_events 1200`.
"""

import subprocess
import sys
import threading
import time

import pytest

from shoverworld.desktop.view import BoardView
from shoverworld.games import all_games
from shoverworld.play.guard import Guard
from shoverworld.terminal.game import TerminalGame

from . import watch as watching
from .files import write_files
from .run import VIEWS, name_of, run_seed
from .watch import Watch

SEEDS = range(len(all_games()) * len(VIEWS))  # each game in each view
EVENTS = 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    for game in all_games().values():  # otherwise, a frame may have to compile, which looks like a hang
        for compiled in game.warmup() if game.warmup else ():
            compiled()
    place = tmp_path_factory.mktemp("random")
    write_files(place / "files")
    return place


@pytest.mark.parametrize("seed", SEEDS, ids=name_of)
def test_random_events_cause_no_exception_and_leave_nothing_behind(folder, seed):
    watch = run_seed(seed, folder, events=EVENTS).watch
    assert not watch.findings, watch.findings[0].details
    assert watch.events >= EVENTS and len(watch.screens) > 2


@pytest.mark.parametrize(("seed", "owner", "name"), [(0, BoardView, "draw"), (3, TerminalGame, "page")])
def test_an_exception_in_a_view_is_found(folder, monkeypatch, seed, owner, name):
    def fail(*_):
        raise ZeroDivisionError("the view is broken")

    monkeypatch.setattr(owner, name, fail)
    found = run_seed(seed, folder, events=10).watch.findings
    assert found[0].what == "an exception left the loop: ZeroDivisionError"
    assert all(text in found[0].details for text in (f"seed {seed} ", "-: shover ", "in fail"))


def test_a_failure_that_a_guard_reports_is_found():
    watch, reported = Watch(0, "guarded"), []
    with watch.watching():
        assert Guard(reported.append)("the overlay", lambda: 1 // 0, "nothing") == "nothing"
    assert [finding.what for finding in watch.findings] == ["the overlay failed"] and len(reported) == 1


def test_threads_processes_and_files_that_are_left_behind_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "PATIENCE", 0.0)
    watch, end = Watch(0, "left over"), threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    with subprocess.Popen(["sleep", "300"]) as old:  # a process that was there before is not a finding
        with watch.watching():
            thread.start()
            new = subprocess.Popen(["sleep", "301"])
            while sys.platform == "linux" and not watching.command_of(new.pid):
                time.sleep(0.001)
        for process in (old, new):
            process.kill()
            process.wait()
    end.set()
    thread.join()
    if sys.platform == "linux":
        assert watch.findings[0].what.startswith("threads left: forgotten; processes left: sleep 301")
    (tmp_path / "tmp").mkdir()
    (tmp_path / ".map.txt.0123abcd.part").touch()
    watch.check_files(tmp_path, tmp_path / "tmp")
    assert [finding.what.partition(":")[0] for finding in watch.findings] == ["threads left", "temporary files left"]

"""Hooks that all tests share."""

import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

# If a shell runs the tests in the background (`make test &`), they ignore Ctrl-C, and the programs that they start
# inherit this setting. Some tests send Ctrl-C, so the default is restored here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The readline library sets these variables in the worker processes of pytest-xdist. They would make tables narrower.
for variable in ("COLUMNS", "LINES"):
    os.environ.pop(variable, None)

# With bytecode on disk, the many processes that the tests start need less time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Some tests check that nothing is printed to stderr, whether or not the kernels are already compiled.
os.environ["SHOVERWORLD_QUIET"] = "1"

# There is no sandbox for agents on these systems.
if not sys.platform.startswith("linux"):
    os.environ.setdefault("SHOVERWORLD_TRUST", "1")

# `make coverage` runs uncompiled code, which is up to several hundred times slower. In each worker process, every test and
# every test file is limited to a few seconds; slower tests are skipped, but the lines that they have reached are counted.
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1" and hasattr(signal, "setitimer")
SECONDS_PER_TEST = 4.0
SECONDS_PER_FILE = 8.0
PROJECT_FOLDERS = (str(ROOT / "src"), str(ROOT / "tests"))
seconds_used: Counter[Path] = Counter()


@contextmanager
def skip_if_slow(file: Path) -> Iterator[None]:
    """Skip the running test when its time is up, and skip a test at once if its file has used up its time.

    The timer fires repeatedly until it interrupts this project's own code, because an exception inside coverage or
    threading would leave their locks held.
    """

    def stop(number: int, frame: Any) -> None:
        if frame.f_code.co_filename.startswith(PROJECT_FOLDERS) and frame.f_code.co_filename != __file__:
            pytest.skip(f"takes longer than {SECONDS_PER_TEST:g} s without compiled code")

    if seconds_used[file] >= SECONDS_PER_FILE:
        pytest.skip(f"the tests of this file have used {SECONDS_PER_FILE:g} s without compiled code")
    start = time.monotonic()
    signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_TEST, 0.01)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        seconds_used[file] += time.monotonic() - start


if UNCOMPILED:

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(item: pytest.Item) -> Any:
        with skip_if_slow(item.path):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(item: pytest.Item) -> Any:
        with skip_if_slow(item.path):
            return (yield)

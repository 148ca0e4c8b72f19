"""Process pools that stop cleanly on Ctrl-C, and code blocks that Ctrl-C does not interrupt."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")


def results(function: Callable[[Work], Result], work: Sequence[Work], jobs: int) -> Generator[Result, None, None]:
    """Yield the result of `function` for each work item, in order. `jobs` processes compute the results."""
    if jobs == 1:
        yield from map(function, work)
        return
    pool = None
    try:
        with _interrupt_blocked():
            # The processes are spawned, because a forked process could wait forever for a lock held by another thread.
            pool = multiprocessing.get_context("spawn").Pool(jobs, _ignore_interrupt)
        yield from pool.imap(function, work)
    finally:
        if pool is not None:
            pool.terminate()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block."""
    interrupts = []
    handler = signal.signal(signal.SIGINT, lambda *_: interrupts.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupts:
        raise KeyboardInterrupt


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Delay Ctrl-C until all child processes have started.

    The child processes start with the signal blocked, so only this process receives it.
    """
    with uninterrupted():
        blocked = None
        if hasattr(signal, "pthread_sigmask"):
            resource_tracker.ensure_running()  # starting the tracker later would unblock the signal
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _ignore_interrupt() -> None:
    """Ignore Ctrl-C in a child process, even on systems without signal masks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

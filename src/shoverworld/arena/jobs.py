"""Independent jobs: on this machine in several processes, or on a cluster with Ray (arena/ray_jobs.py).

A job is a call `function(shared, item)`. `shared` is sent to each process only once. The function and its arguments
must be picklable. A process that dies costs only the job that it was running: the job is repeated in a new process, and
if it fails too often, its result is a `Lost` object. Results do not depend on the number of processes.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import connection, resource_tracker
from pathlib import Path
from typing import Any, Generic, TypeVar

from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.files import take
from shoverworld.core.kernel_cache import cache_home

from .journal import Journal

Item = TypeVar("Item")
Result = TypeVar("Result")
RETRIES = 2  # how often a job is repeated after its process was lost
JOBS_PER_PROCESS = 1000  # afterwards, a new process takes over, so that slow leaks do not add up
_WARM_WITHIN = 600.0  # seconds to wait while another process compiles; after that, this process compiles too


@dataclass(frozen=True)
class Lost:
    """The result of a job that was not finished because its process was lost, or because of an error of ours."""

    reason: str


class JobError(ShoverWorldError):
    """A job raised an exception. The message includes the traceback."""


@dataclass(frozen=True)
class Work(Generic[Item, Result]):
    """What to run and how.

    jobs: the number of processes. in_process: whether a single process means this process. keep_going: an exception
    in a job is treated like a lost process: the job is repeated, and then reported as `Lost`. Otherwise, the exception
    ends the run. warm_up: a picklable function that compiles what the jobs need; one process on each machine runs it
    before the others start. journal: a file that keeps the results, so that the same work can be continued later.
    depends_on: what the results depend on besides the function and its arguments, such as the content of files. final:
    whether a result is worth keeping in the journal.
    """

    function: Callable[[Any, Item], Result]
    items: Sequence[Item]
    shared: Any = None
    jobs: int = 1
    in_process: bool = True
    keep_going: bool = False
    retries: int = RETRIES
    warm_up: Callable[[], Any] | None = None
    ray: bool = False
    ray_address: str | None = None
    journal: Path | None = None
    depends_on: Any = None
    final: Callable[[Result], bool] = lambda result: True


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(work: Work[Item, Result]) -> Generator[tuple[int, Result | Lost], None, None]:
    """Yield (index, result) for each item as the jobs end, in any order. Closing the generator stops all jobs."""
    if not work.items:
        return
    if work.journal is not None:
        yield from _continued(work, work.journal)
    elif work.ray or work.ray_address is not None:
        from .ray_jobs import run_on_ray  # Ray is optional

        yield from run_on_ray(work)
    elif work.jobs == 1 and work.in_process:
        for index, item in enumerate(work.items):
            yield index, work.function(work.shared, item)
    else:
        yield from _Processes(work).run()


def _continued(work: Work[Item, Result], path: Path) -> Iterator[tuple[int, Result | Lost]]:
    """Yield the results in a journal first. Then run the other jobs, and keep their results."""
    function = f"{work.function.__module__}.{work.function.__qualname__}"
    with closing(Journal(path, (function, work.shared, work.items, work.depends_on))) as journal:
        known = journal.jobs()
        left = [job for job in range(len(work.items)) if job not in known]
        yield from journal.results()
        with closing(run(replace(work, items=[work.items[job] for job in left], journal=None))) as results:
            for place, result in results:
                if not isinstance(result, Lost) and work.final(result):
                    journal.add(left[place], result)
                yield left[place], result


def in_order(work: Work[Item, Result]) -> Generator[Result, None, None]:
    """Yield the results in the order of the items. Raise JobError if a job is lost."""
    waiting: dict[int, Any] = {}
    expected = 0
    with closing(run(work)) as results:
        for index, result in results:
            if isinstance(result, Lost):
                raise JobError(f"job {index + 1} of {len(work.items)} failed: {result.reason}")
            waiting[index] = result
            while expected in waiting:
                yield waiting.pop(expected)
                expected += 1


def warm_up_once(warm_up: Callable[[], Any] | None) -> None:
    """Compile what the jobs need. On each machine, one process compiles while the others wait and then load the result."""
    if warm_up is None:
        return
    with ExitStack() as stack:
        with suppress(OSError):  # without a writable folder, the processes have nothing to share
            stack.enter_context(_warm_up_lock())
        warm_up()


@contextmanager
def _warm_up_lock() -> Iterator[None]:
    folder = cache_home()
    if folder is None:
        raise FileNotFoundError("there is no cache folder")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".warm-up.lock", "ab") as lock:
        end = time.monotonic() + _WARM_WITHIN
        while take(lock) is False and time.monotonic() < end:
            time.sleep(0.02)
        yield


# --- processes on this machine


class _Worker:
    """A child process and the job that it is running."""

    def __init__(self, context: Any, work: Work[Any, Any]):
        ours, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.pipe = ours
        self.job: int | None = None
        self.done = 0
        with suppress(OSError):  # if the process has died already, this is noticed when its result is awaited
            self.pipe.send((work.function, work.shared, work.warm_up))

    def give(self, job: int, item: Any) -> None:
        self.job = job
        with suppress(OSError):
            self.pipe.send(item)

    def stop(self) -> None:
        with suppress(OSError):
            self.pipe.close()
        self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class _Processes:
    """The processes for one run."""

    def __init__(self, work: Work[Any, Any]):
        # The processes are spawned, because a forked process could wait forever for a lock held by another thread.
        self.work, self.context = work, multiprocessing.get_context("spawn")
        self.queue = deque(range(len(work.items)))
        self.attempts = [0] * len(work.items)
        self.workers: list[_Worker] = []

    def run(self) -> Iterator[tuple[int, Any]]:
        try:
            while self.queue or any(worker.job is not None for worker in self.workers):
                self._hand_out()
                yield from self._collect()
        finally:
            for worker in self.workers:
                worker.stop()

    def _hand_out(self) -> None:
        """Give a job to each idle process. Start processes while there are more jobs than processes."""
        for worker in self.workers:
            if worker.job is None and self.queue:
                self._give(worker)
        while self.queue and len(self.workers) < self.work.jobs:
            with _interrupt_blocked():
                self.workers.append(_Worker(self.context, self.work))
            self._give(self.workers[-1])

    def _give(self, worker: _Worker) -> None:
        job = self.queue.popleft()
        worker.give(job, self.work.items[job])

    def _collect(self) -> Iterator[tuple[int, Any]]:
        """Wait for at least one process, and yield the results that have arrived."""
        busy = {worker.pipe: worker for worker in self.workers if worker.job is not None}
        for pipe in connection.wait(list(busy)):
            worker = busy[pipe]  # type: ignore[index]
            job: Any = worker.job
            try:
                good, value = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                yield from self._failed(job, "the process that ran the job was lost")
                continue
            worker.job = None
            worker.done += 1
            if worker.done >= JOBS_PER_PROCESS:
                self._replace(worker)
            elif self.queue:  # the process must not wait while the caller stores the result
                self._give(worker)
            if good:
                yield job, value
            elif self.work.keep_going:
                yield from self._failed(job, value)
            else:
                raise value if isinstance(value, ShoverWorldError) else JobError(value)

    def _replace(self, worker: _Worker) -> None:
        self.workers.remove(worker)
        worker.stop()

    def _failed(self, job: int, reason: str) -> Iterator[tuple[int, Any]]:
        """Repeat a job, or give up on it."""
        self.attempts[job] += 1
        if self.attempts[job] <= self.work.retries:
            self.queue.appendleft(job)
        else:
            yield job, Lost(str(reason))


def described(error: BaseException) -> Any:
    """Return an error of this package as it is, and the traceback of any other error."""
    if isinstance(error, ShoverWorldError):
        return error
    return "".join(traceback.format_exception(error)).strip()


def _serve(pipe: Any) -> None:
    """Run jobs in a child process until the pipe is closed."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # only the parent reacts to Ctrl-C, also where signals cannot be blocked
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:  # if the parent is killed, this process must not go on playing
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(EOFError, OSError):
        function, shared, warm_up = pipe.recv()
        warm = False
        while True:
            item = pipe.recv()
            try:
                if not warm:
                    warm_up_once(warm_up)
                    warm = True
                answer = True, function(shared, item)
            except Exception as error:
                answer = False, described(error)
            try:
                pipe.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # the answer cannot be pickled
                pipe.send((False, described(error)))


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


# --- Ctrl-C


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives Ctrl-C
        return
    interrupts: list[bool] = []
    handler = signal.signal(signal.SIGINT, lambda *_: interrupts.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupts:
        raise KeyboardInterrupt


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Delay Ctrl-C until a child process has started.

    The child process starts with the signal blocked, so only this process receives it.
    """
    with uninterrupted():
        blocked = None
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # starting the tracker later would unblock the signal
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

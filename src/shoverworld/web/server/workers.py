"""Worker processes (`worker.py`) and the pools that share them among requests.

A worker does one task at a time. A task that is cancelled or fails ends its worker, and the next task starts a new one;
otherwise, the worker is used again, with everything that it has compiled.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from shoverworld.core.errors import ShoverWorldError

PACKAGE = Path(__file__).resolve().parents[3]  # the folder that contains the package
LONGEST_LINE = 64 * 2**20  # bytes of one answer of a worker: a file with many levels
PREPARING = {"type": "progress", "stage": "preparing"}
_REAPED_WITHIN = 2.0  # seconds to wait for a process that was killed

Message = Mapping[str, Any]
Report = Callable[[Message], None]


class TooBusy(ShoverWorldError):
    """All workers have work, and as many requests as allowed are waiting."""


class TaskFailed(ShoverWorldError):
    """A worker answered with an error, or it ended without an answer."""


class Worker:
    """A child process that does one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process):
        self._process = process
        self.idle_since = 0.0

    @classmethod
    async def start(cls) -> "Worker":
        paths = os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")]))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "shoverworld.web.server.worker",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            limit=LONGEST_LINE,
            cwd=Path(__file__).parent,  # the name of a collection must not find a file in the user's folder
            env={**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "1", "SHOVERWORLD_QUIET": "1"},
            start_new_session=os.name == "posix",  # Ctrl-C reaches only the server, which ends its workers
        )
        return cls(process)

    async def ask(self, request: Message, report: Report) -> dict[str, Any]:
        """Return the result of a task. Pass what the worker says in between to `report`."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        with suppress(OSError):  # if the worker has died, the missing answer is detected below
            stdin.write(json.dumps(request).encode() + b"\n")
            await stdin.drain()
        while line := await stdout.readline():
            message = json.loads(line)
            if message["type"] == "done":
                return message["result"]
            if message["type"] == "error":
                raise TaskFailed(message["error"])
            report(message)
        raise WorkerDied("the process that worked on this ended unexpectedly; it may have run out of memory")

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    def kill(self) -> None:
        if not self.alive:
            return
        with suppress(ProcessLookupError):
            if os.name == "posix":
                # `self._process.kill()` may wait for a process that has just died, and asyncio then misses its end.
                os.kill(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def ended(self) -> None:
        await self._process.wait()


class WorkerDied(TaskFailed):
    """A worker ended without an answer."""


class Pool:
    """At most `size` workers, and a bounded number of requests that wait for one of them."""

    def __init__(self, size: int, waiting: int):
        self._most = size + waiting
        self._places = asyncio.Semaphore(size)
        self._requests = 0
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._closed = False

    def check_room(self) -> None:
        """Raise TooBusy if no further request can be accepted now."""
        if self._closed or self._requests >= self._most:
            raise TooBusy(f"the server is busy: {self._requests} requests are running or waiting; try again later")

    async def run(self, request: Message, report: Report) -> dict[str, Any]:
        """Do a task in a worker. If this call is cancelled, the worker is killed."""
        self.check_room()
        self._requests += 1
        try:
            async with self._places:
                report(PREPARING)
                return await self._run(request, report)
        finally:
            self._requests -= 1

    async def _run(self, request: Message, report: Report) -> dict[str, Any]:
        worker = await self._worker()
        try:
            result = await worker.ask(request, report)
        except TaskFailed as failure:
            if isinstance(failure, WorkerDied):
                await self._drop(worker)
            else:  # the task was wrong, not the worker
                self._keep(worker)
            raise
        except BaseException:
            await self._drop(worker)
            raise
        self._keep(worker)
        return result

    async def _worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._workers.discard(worker)
        worker = await Worker.start()
        self._workers.add(worker)
        if self._closed:  # the server ended while the process was being started
            worker.kill()
        return worker

    def _keep(self, worker: Worker) -> None:
        worker.idle_since = time.monotonic()
        self._idle.append(worker)

    async def _drop(self, worker: Worker) -> None:
        """Kill a worker. Another one must not start before it is gone, so that there are never more than `size`."""
        worker.kill()
        await _ended([worker])
        self._workers.discard(worker)

    async def end_idle(self, seconds: float) -> None:
        """End the workers that have had no work for this long."""
        now = time.monotonic()
        for worker in [worker for worker in self._idle if now - worker.idle_since > seconds]:
            self._idle.remove(worker)
            await self._drop(worker)

    async def close(self) -> None:
        """Kill all workers, and wait until the processes are gone."""
        self._closed = True
        workers = list(self._workers)
        for worker in workers:
            worker.kill()
        await _ended(workers)


async def _ended(workers: Iterable[Worker]) -> None:
    """Wait until killed workers are gone. The system may delay this, but not for long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_REAPED_WITHIN):
            await asyncio.gather(*(worker.ended() for worker in workers))

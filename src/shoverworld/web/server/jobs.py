"""Jobs: long work that a page starts, follows through events and can cancel.

A job ends when its work is done, when the page cancels it, when its time is up, when nobody has followed it for some
seconds, and when the server ends. In all cases except the first, its process is killed.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any

from shoverworld.core.errors import ShoverWorldError

from .limits import Limits
from .workers import Message, Pool

QUEUED = {"type": "progress", "stage": "waiting"}
_TICK = 0.5  # seconds between two looks for jobs that nobody follows


class Job:
    """A job and its events so far. The last event has the type "done", "error" or "cancelled"."""

    def __init__(self, request: Mapping[str, Any]):
        self.id = secrets.token_urlsafe(12)  # cannot be guessed by other pages
        self.request = request
        self.events: list[str] = []
        self.over = False
        self.task: asyncio.Task[None] | None = None
        self.watchers = 0
        self.since = asyncio.get_running_loop().time()  # when the last watcher left, or when the job ended
        self._changed = asyncio.Event()

    def add(self, message: Message) -> None:
        if not self.over:
            self.events.append(json.dumps(message))
            self._notify()

    def finish(self, message: Message) -> None:
        self.add(message)
        self.over = True
        self.since = asyncio.get_running_loop().time()
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self, first: int, heartbeat: float) -> AsyncIterator[str]:
        """Yield the events from index `first` on as server-sent events, until the job is over."""
        place = first
        while True:
            changed = self._changed
            for number in range(place, len(self.events)):
                yield f"id: {number}\ndata: {self.events[number]}\n\n"
                place = number + 1
            if self.over and place >= len(self.events):
                return
            try:
                async with asyncio.timeout(heartbeat):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"  # a comment; writing it detects a closed connection

    def watch(self) -> None:
        self.watchers += 1

    def unwatch(self) -> None:
        self.watchers -= 1
        self.since = asyncio.get_running_loop().time()


class Jobs:
    """All jobs of a server, including those that ended a short time ago."""

    def __init__(self, limits: Limits):
        self._limits = limits
        self._pool = Pool(limits.running, limits.waiting)
        self._jobs: dict[str, Job] = {}

    def start(self, request: Mapping[str, Any]) -> Job:
        """Start a job, or let it wait for a worker. Raise TooBusy if too many jobs are waiting."""
        self._pool.check_room()
        self._forget(self._limits.kept_jobs - 1)
        job = Job(request)
        job.add(QUEUED)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job))
        return job

    def find(self, id: str) -> Job | None:
        return self._jobs.get(id)

    async def cancel(self, job: Job) -> None:
        """Kill the process of a job, and forget the job."""
        self._jobs.pop(job.id, None)
        await _stopped(job)

    async def _run(self, job: Job) -> None:
        limits, seconds = self._limits, job.request["seconds"]
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as clock:
                stage = ""

                def report(message: Message) -> None:
                    nonlocal stage
                    now, previous, stage = loop.time(), stage, message.get("stage", "playing")
                    if not previous:  # the job has a worker now
                        clock.reschedule(now + limits.ready_seconds)
                    elif previous == "preparing":  # everything is compiled
                        clock.reschedule(now + seconds + limits.overtime)
                    job.add(message)

                result = await self._pool.run(job.request, report)
            job.finish({"type": "done", "result": result})
        except TimeoutError:
            job.finish({"type": "error", "error": f"stopped: the time limit of {seconds:g} s has passed"})
        except ShoverWorldError as reason:
            job.finish({"type": "error", "error": str(reason)})
        except asyncio.CancelledError:
            job.finish({"type": "cancelled"})
        except Exception as reason:
            job.finish({"type": "error", "error": f"the job failed: {type(reason).__name__}"})
            raise

    async def keep_tidy(self) -> None:
        """End the jobs that nobody follows, forget those that ended, and end idle workers. Runs until cancelled."""
        limits = self._limits
        while True:
            await asyncio.sleep(min(_TICK, limits.unwatched_seconds))
            now = asyncio.get_running_loop().time()
            alone = [job for job in self._jobs.values() if not job.watchers and not job.over]
            late = [job for job in alone if now - job.since > limits.unwatched_seconds]
            await asyncio.gather(*map(self.cancel, late))
            self._forget(limits.kept_jobs)
            await self._pool.end_idle(limits.idle_seconds)

    def _forget(self, most: int) -> None:
        """Forget the jobs that ended some time ago, and the oldest of them if there are more than `most` jobs."""
        now = asyncio.get_running_loop().time()
        over = [job for job in self._jobs.values() if job.over]
        for job in over:
            if now - job.since > self._limits.kept_seconds or len(self._jobs) > most:
                del self._jobs[job.id]

    async def close(self) -> None:
        """Cancel all jobs and end all processes."""
        await asyncio.gather(*(_stopped(job) for job in list(self._jobs.values())))
        await self._pool.close()


async def _stopped(job: Job) -> None:
    """Cancel the task of a job and wait until it has ended."""
    if job.task is not None and not job.task.done():
        job.task.cancel()
        await asyncio.wait([job.task])
    if not job.over:  # a task that never started cannot report its end
        job.finish({"type": "cancelled"})

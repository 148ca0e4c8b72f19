"""Jobs on a Ray cluster. A lost process or machine costs only the jobs that were running there: they are repeated."""

import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from shoverworld import __version__
from shoverworld.core.errors import ConfigError, MissingExtra

from .jobs import JobError, Lost, Work, described, warm_up_once

AHEAD = 2  # jobs per processor that are handed to the cluster at the same time
REACHABLE_WITHIN = 10.0  # seconds for the first connection to a cluster; Ray itself would try for minutes
LOST_RETRIES = 10  # how often a job is repeated after a process or a machine was lost: a cluster may lose several
_warm: set[int] = set()  # the runs for which this process is ready


def run_on_ray(work: Work[Any, Any]) -> Iterator[tuple[int, Any]]:
    """Yield (index, result) for each item as the jobs end. Connect to the cluster first if necessary."""
    try:
        import ray  # pyright: ignore[reportMissingImports]  # optional
    except ImportError:
        raise MissingExtra.of("--ray", "Ray", "ray") from None
    started = not ray.is_initialized()
    if started:
        _connect(ray, work)
    run = _Run(ray, work)
    try:
        yield from run.results()
    finally:
        run.cancel()
        if started:
            ray.shutdown()


def _connect(ray: Any, work: Work[Any, Any]) -> None:
    own = work.ray_address is None
    try:
        if work.ray_address is not None:
            _check_reachable(work.ray_address)
        ray.init(
            address="local" if own else work.ray_address,
            num_cpus=work.jobs if own else None,
            include_dashboard=False if own else None,
            log_to_driver=False,
            logging_level="error",
        )
    except Exception as error:  # Ray raises many kinds of errors
        where = "Ray cannot be started" if own else f"--ray-address {work.ray_address}: the cluster cannot be reached"
        raise ConfigError(f"{where}: {error}") from None


def _check_reachable(address: str) -> None:
    """Raise OSError or ValueError if nothing accepts connections at HOST:PORT or ray://HOST:PORT."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # a word of Ray's, such as "auto"
    socket.create_connection((host.strip("[]"), int(port)), REACHABLE_WITHIN).close()


class _Run:
    """The jobs of one run."""

    def __init__(self, ray: Any, work: Work[Any, Any]):
        self.ray, self.work = ray, work
        self.queue = deque(range(len(work.items)))
        self.attempts, self.losses = [0] * len(work.items), [0] * len(work.items)
        self.running: dict[Any, int] = {}
        # Ray's own retries are off: this class repeats jobs and counts how often.
        self.remote = ray.remote(max_retries=0, num_cpus=1)(_job)
        self.shared = ray.put((work.function, work.shared, work.warm_up))

    def results(self) -> Iterator[tuple[int, Any]]:
        while self.queue or self.running:
            room = AHEAD * max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            while self.queue and len(self.running) < room:
                job = self.queue.popleft()
                self.running[self.remote.remote(self.shared, self.work.items[job], __version__)] = job
            ready, _ = self.ray.wait(list(self.running), num_returns=1, timeout=10)
            for reference in ready:
                yield from self._ended(reference, self.running.pop(reference))

    def _ended(self, reference: Any, job: int) -> Iterator[tuple[int, Any]]:
        try:
            good, value = self.ray.get(reference)
        except self.ray.exceptions.RayError as error:  # the process or the machine was lost
            self.losses[job] += 1
            if self.losses[job] > LOST_RETRIES:
                yield job, Lost(f"{type(error).__name__}: {error}".partition("\n")[0])
            else:
                self.queue.append(job)
            return
        if good:
            yield job, value
        elif not self.work.keep_going:
            raise value if isinstance(value, Exception) else JobError(value)
        else:
            self.attempts[job] += 1
            if self.attempts[job] > self.work.retries:
                yield job, Lost(str(value))
            else:
                self.queue.append(job)

    def cancel(self) -> None:
        for reference in self.running:
            with suppress(Exception):  # the cluster may be gone
                self.ray.cancel(reference, force=True)


def _job(shared: tuple[Callable[[Any, Any], Any], Any, Any], item: Any, version: str) -> tuple[bool, Any]:
    """Run one job in a process of the cluster."""
    function, data, warm_up = shared
    try:
        if version != __version__:
            raise ConfigError(
                f"this machine has shoverworld {__version__}; expected {version}, as on the first machine"
            )
        if warm_up is not None and hash(warm_up) not in _warm:
            warm_up_once(warm_up)
            _warm.add(hash(warm_up))
        return True, function(data, item)
    except Exception as error:
        return False, described(error)

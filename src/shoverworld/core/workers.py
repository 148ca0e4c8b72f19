# pyright: basic
# Numba infers the types of the functions that kernels call.
"""Threads that divide the games of a batch among themselves.

A step of a batch takes microseconds, but waking a sleeping thread takes tens of microseconds. Between two steps, the
worker threads therefore stay inside the compiled kernel and watch counters in shared memory. The caller resets these
counters to begin a step; then all threads, including the caller, claim shares of the games until none are left. A
thread claims the shares of its own part first, because the games in this part are still in its processor's cache from
the last step. A worker that has waited for some time without work leaves the kernel and sleeps until a later step wakes
it. A step never waits for a sleeping worker, because the caller can claim all shares itself.

A kernel with this structure can be run by `Workers`:

    def step_rows(work, worker, actions, ...):
        first, last = first_share(work, worker, actions)
        while first < last:
            given = given_actions(work)              # the address of the array that the caller was called with
            ...                                      # play the games in range(first, last)
            first, last = next_share(work, worker, number)
        return total(work, worker)                   # the sum of all numbers, for the caller
"""

import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .atomics import address_of, atomic_add, atomic_load, atomic_store, pause
from .jit import compiles, inner

REFUSED = -1  # the result of a kernel that did nothing because an action is outside the action space
CALLER = 0  # the number of the calling thread; workers have the numbers 1, 2, ...
PATIENCE = 20_000  # how many times a worker looks for work before it goes to sleep; this takes tens of microseconds

# Indices into the array `work`. Counters written by different threads are in different cache lines (8 numbers each).
# PART is the number of shares in the part of one thread; ACTIONS is the address of the actions of this step.
GAMES, SHARE_SIZE, SHARES, THREADS, PART, STOPPED, ACTIONS = range(7)
FINISHED = 8  # the number of finished shares
TOTAL = 16  # the sum of the numbers passed to `next_share`
NEXT = 24  # + 16 * thread: the next share to be claimed from the part of this thread
ASLEEP = 32  # + 16 * thread: whether this thread is asleep


def new_work(games: int, share_size: int, threads: int = 1) -> NDArray[np.int64]:
    """Return the shared memory for threads that divide this many games into shares of this size."""
    work = np.zeros(NEXT + 16 * threads, np.int64)
    shares = -(-games // share_size)
    work[[GAMES, SHARE_SIZE, SHARES, THREADS, PART]] = games, share_size, shares, threads, -(-shares // threads)
    work[NEXT::16] = shares  # there is no work before the first step
    return work


class Workers:
    """Worker threads that run a kernel together with the caller.

    `actions` is any array of the type and shape of the actions. `arguments` are the arguments of the kernel after
    `work`, `worker` and the actions. They must stay the same for the lifetime of the workers, because the workers do not
    leave the kernel between two calls.
    """

    def __init__(
        self,
        kernel: Any,
        work: NDArray[np.int64],
        actions: NDArray[np.int64],
        arguments: tuple[Any, ...],
        threads: int,
    ):
        self._work, self._kernel, self._arguments = work, kernel, arguments
        self._wake = [threading.Semaphore(0) for _ in range(threads - 1)] if compiles() else []
        self._sleepers = [(ASLEEP + 16 * worker, wake) for worker, wake in enumerate(self._wake, 1)]
        for worker, wake in enumerate(self._wake, 1):
            work[ASLEEP + 16 * worker] = 1
            job = kernel, work, worker, (actions, *arguments), wake
            threading.Thread(target=_serve, args=job, name=f"shoverworld-{worker}", daemon=True).start()
        self.stop = weakref.finalize(self, _stop, work, self._wake)

    def run(self, actions: NDArray[np.int64]) -> int:
        """Run the kernel with these actions in all threads, and return the result of the caller's run."""
        work = self._work
        for place, wake in self._sleepers:
            if work[place]:
                work[place] = 0
                wake.release()
        return self._kernel(work, CALLER, actions, *self._arguments)


def _serve(
    kernel: Any, work: NDArray[np.int64], worker: int, arguments: tuple[Any, ...], wake: threading.Semaphore
) -> None:
    while True:
        wake.acquire()
        if work[STOPPED]:
            return
        kernel(work, worker, *arguments)


def _stop(work: NDArray[np.int64], wake: list[threading.Semaphore]) -> None:
    work[STOPPED] = 1
    for one in wake:
        one.release()


# ---------------------------------------------------------------- in kernels


@inner
def first_share(work, worker, actions):
    """Begin a step if this thread is the caller. Return the first share of this thread as (first, last)."""
    if worker == CALLER:
        work[FINISHED], work[TOTAL], work[ACTIONS] = 0, 0, address_of(actions)
        for thread in range(work[THREADS]):
            atomic_store(work, NEXT + 16 * thread, thread * work[PART])
    return claim(work, worker)


@inner
def given_actions(work):
    """Return the address of the caller's actions. A worker must ask for it again whenever it has claimed a share.

    The workers' own argument `actions` is only an example, because they stay in the kernel for several steps.
    """
    return work[ACTIONS]


@inner
def next_share(work, worker, number):
    """Finish a share, add a number to the total, and return the next share of this thread.

    The result is (0, 0) if no shares are left.
    """
    atomic_add(work, TOTAL, number)
    atomic_add(work, FINISHED, 1)
    return claim(work, worker)


@inner
def claim(work, worker):
    """Claim a share, if possible from this thread's own part. If none are left, a worker waits for the next step."""
    attempts = 0
    while True:
        for i in range(work[THREADS]):
            owner = (worker + i) % work[THREADS]
            end = min((owner + 1) * work[PART], work[SHARES])
            if atomic_load(work, NEXT + 16 * owner) < end:
                share = atomic_add(work, NEXT + 16 * owner, 1)
                if share < end:
                    first = share * work[SHARE_SIZE]
                    return first, min(first + work[SHARE_SIZE], work[GAMES])
        attempts += 1
        if worker == CALLER or attempts > PATIENCE:
            return 0, 0
        pause()


@inner
def total(work, worker):
    """Wait until all shares are finished and return the total. A worker does not wait; it goes to sleep."""
    if worker != CALLER:
        atomic_store(work, ASLEEP + 16 * worker, 1)
        return 0
    while atomic_load(work, FINISHED) < work[SHARES]:
        pause()
    return work[TOTAL]

"""The search for any solution in two threads, each with every second strategy of the portfolio and half of the memory.

Kernels run without the global interpreter lock, so both threads compute at the same time. Which thread finds a solution
first depends on the machine, so two runs can return different solutions.
"""

import threading
from collections.abc import Callable

import numpy as np

from .pairs import PairTable
from .satisficing import STRATEGIES, SatisficingSearch
from .tables import LevelTables


class ParallelSearch:
    """Two searches. The interface is the one of SatisficingSearch, and only the caller's thread calls `tick`."""

    def __init__(
        self, tables: LevelTables, boxes: np.ndarray, player: int, goals: np.ndarray, memory: int,
        tick: Callable[[int], bool], pairs: PairTable | None = None,
    ):  # fmt: skip
        self.tick, self.over = tick, threading.Event()
        self.here = SatisficingSearch(tables, boxes, player, goals, memory // 2, self._tick, pairs)
        self.there = SatisficingSearch(
            tables, boxes, player, goals, memory // 2, lambda nodes: not self.over.is_set(), pairs
        )
        self.found: list[int] | None = None
        self.error: BaseException | None = None

    @property
    def nodes(self) -> int:
        return self.here.nodes + self.there.nodes

    def run(self, until: float) -> list[int] | None:
        """Return the pushes of a solution (box cell times four, plus direction), or None."""
        thread = threading.Thread(target=self._run_there, args=(until,), name="sokoban solver")
        thread.start()
        try:
            pushes = self.here.run(until, STRATEGIES[::2])
            if pushes is None and not self.here.stopped:
                self._wait(thread)
        finally:  # also after Ctrl-C
            self.over.set()
            thread.join()
        if self.error is not None:
            raise self.error
        return self.found if pushes is None else pushes

    def _tick(self, nodes: int) -> bool:
        return self.tick(self.nodes) and not self.over.is_set()

    def _wait(self, thread: threading.Thread) -> None:
        """Wait until the other thread has ended or `tick` stops the search."""
        while thread.is_alive() and self.tick(self.nodes):
            thread.join(0.02)

    def _run_there(self, until: float) -> None:
        try:
            self.found = self.there.run(until, STRATEGIES[1::2])
        except BaseException as error:  # raised again in the caller's thread
            self.error = error
        if self.found is not None or self.error is not None:
            self.over.set()

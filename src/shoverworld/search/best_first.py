"""Best-first search, and the four searches that are best-first with another f."""

import math
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any

from shoverworld.core.checks import number

from .budget import UNLIMITED, Budget
from .problem import Problem
from .run import Node, Result, Run


def astar(problem: Problem, budget: Budget = UNLIMITED, weight: float = 1.0) -> Result:
    """A*: the path so far and the guess of what is left count alike. With an admissible heuristic, a cheapest path."""
    weight = number("weight", weight, at_least=1)
    return best_first(problem, lambda node: node.cost + weight * node.h, budget)


def weighted_astar(problem: Problem, budget: Budget = UNLIMITED, weight: float = 1.5) -> Result:
    """A* that trusts the guess more: fewer states, and a path at most `weight` times as dear as the cheapest."""
    return astar(problem, budget, weight)


def greedy_best_first(problem: Problem, budget: Budget = UNLIMITED) -> Result:
    """Only the guess counts: quick, and the path may be far from the cheapest."""
    return best_first(problem, lambda node: node.h, budget)


def uniform_cost(problem: Problem, budget: Budget = UNLIMITED) -> Result:
    """Only the path so far counts (Dijkstra): a cheapest path, with no heuristic."""
    return best_first(problem, lambda node: node.cost, budget)


def best_first(problem: Problem, f: Callable[[Node], float], budget: Budget = UNLIMITED) -> Result:
    """Always go on from the node with the lowest f; among equals from the first that was made."""
    run = Run(problem, budget)
    frontier = Frontier(f)
    frontier.add(run.start)
    reached = Reached(run.start, count_depth=budget.depth is not None)
    while frontier:
        node = frontier.pop()
        if not reached.keeps(node):
            continue  # a better path to the same state was found meanwhile
        if problem.is_goal(node.state):
            return run.solved(node)
        if run.out_of_budget(node):
            break
        for child in run.expand(node):
            if f(child) < math.inf and reached.improved_by(child):
                frontier.add(child)
        run.holds(run.expanded + len(frontier))
    return run.failed()


class Frontier:
    """A priority queue: the lowest f first, and among equals first in, first out."""

    def __init__(self, f: Callable[[Node], float]):
        self._f = f
        self._heap: list[tuple[float, int, Node]] = []
        self._number = count()

    def add(self, node: Node) -> None:
        heappush(self._heap, (self._f(node), next(self._number), node))

    def pop(self) -> Node:
        return heappop(self._heap)[2]

    def __len__(self) -> int:
        return len(self._heap)


class Reached:
    """The best node of every state so far.

    Of two paths to a state the dearer is of no use. Only where a depth budget makes actions scarce it is kept when it
    is the shorter one: a state may have several nodes then.
    """

    def __init__(self, start: Node, count_depth: bool):
        self._count_depth = count_depth
        self._nodes: dict[Any, list[Node]] = {start.state: [start]}

    def keeps(self, node: Node) -> bool:
        return any(node is kept for kept in self._nodes[node.state])

    def improved_by(self, node: Node) -> bool:
        """Is this node worth keeping? Then it is kept, and those that it beats are not."""
        others = self._nodes.get(node.state, ())
        if any(self._as_good(other, node) for other in others):
            return False
        self._nodes[node.state] = [other for other in others if not self._as_good(node, other)] + [node]
        return True

    def _as_good(self, one: Node, other: Node) -> bool:
        return one.cost <= other.cost and (one.depth <= other.depth or not self._count_depth)

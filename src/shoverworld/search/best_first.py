"""Best-first search, and four variants of it, each with its own priority f."""

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
    """A* search: f is the path cost plus the heuristic. If the heuristic is admissible, the path has minimum cost."""
    weight = number("weight", weight, at_least=1)
    return best_first(problem, lambda node: node.cost + weight * node.h, budget)


def weighted_astar(problem: Problem, budget: Budget = UNLIMITED, weight: float = 1.5) -> Result:
    """A* search with a weighted heuristic, which expands fewer states.

    If the heuristic is admissible, the path costs at most `weight` times the optimum.
    """
    return astar(problem, budget, weight)


def greedy_best_first(problem: Problem, budget: Budget = UNLIMITED) -> Result:
    """Greedy best-first search: f is the heuristic. It is fast, but the path may be far from optimal."""
    return best_first(problem, lambda node: node.h, budget)


def uniform_cost(problem: Problem, budget: Budget = UNLIMITED) -> Result:
    """Uniform-cost search (Dijkstra): f is the path cost. The path has minimum cost, and no heuristic is needed."""
    return best_first(problem, lambda node: node.cost, budget)


def best_first(problem: Problem, f: Callable[[Node], float], budget: Budget = UNLIMITED) -> Result:
    """Always expand the node with the lowest f; ties go to the node that was generated first."""
    run = Run(problem, budget)
    frontier = Frontier(f)
    frontier.add(run.start)
    reached = Reached(run.start, count_depth=budget.depth is not None)
    while frontier:
        node = frontier.pop()
        if not reached.keeps(node):
            continue  # a better path to the same state has been found since
        if problem.is_goal(node.state):
            return run.solved(node)
        if run.out_of_budget(node):
            break
        for child in run.expand(node):
            if f(child) < math.inf and reached.improved_by(child):
                frontier.add(child)
        run.record_nodes(run.expanded + len(frontier))
    return run.failed()


class Frontier:
    """A priority queue ordered by f; nodes with equal f leave in the order in which they were added."""

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
    """The best nodes found so far for each state.

    If there are two paths to a state, the more expensive one is normally discarded. With a depth budget, the more
    expensive path is kept if it has fewer actions, so a state may then have several nodes.
    """

    def __init__(self, start: Node, count_depth: bool):
        self._count_depth = count_depth
        self._nodes: dict[Any, list[Node]] = {start.state: [start]}

    def keeps(self, node: Node) -> bool:
        """Return whether the node is still in use, that is, has not been replaced by a better node."""
        return any(node is kept for kept in self._nodes[node.state])

    def improved_by(self, node: Node) -> bool:
        """Keep the node unless a known node for its state is at least as good, and return whether it was kept.

        A node that is kept replaces all known nodes for its state that are no better.
        """
        others = self._nodes.get(node.state, [])
        if any(self._as_good(other, node) for other in others):
            return False
        self._nodes[node.state] = [other for other in others if not self._as_good(node, other)] + [node]
        return True

    def _as_good(self, one: Node, other: Node) -> bool:
        return one.cost <= other.cost and (one.depth <= other.depth or not self._count_depth)

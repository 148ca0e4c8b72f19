"""One run of a search: the nodes it makes, what it has spent of its budget, and the result it ends in.

The algorithms say which node comes next; everything they would all have to count is counted here.
"""

import math
import time
from dataclasses import dataclass, field
from typing import Any

from shoverworld.core.errors import ConfigError

from .budget import Budget
from .problem import Problem


@dataclass(slots=True, eq=False)
class Node:
    """A state and the path that led to it."""

    state: Any
    parent: "Node | None" = field(default=None, repr=False)
    action: Any = None
    cost: float = 0  # of the path: g in the textbook
    depth: int = 0  # actions in the path
    h: float = 0.0  # what the heuristic says of the state
    f: float = 0.0  # what the node is chosen by, where an algorithm keeps it

    def path(self) -> "list[Node]":
        """The nodes from the start to here."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def actions(self) -> list[Any]:
        return [node.action for node in self.path()[1:]]


@dataclass(frozen=True)
class Result:
    """What a search found, and what that took.

    status: "solved"; "no solution" (everything was looked at: there is none); "budget" (stopped before it knew).
    actions, states, cost: the path, start and goal included; empty, and infinitely dear, when none was found.
    expanded: states whose successors were asked for, each time counted. generated: the successors they gave.
    most_held: the most nodes that were in memory at one time. depth: actions in the longest path looked at.
    stopped_by: "expansions", "seconds" or "depth", the limit that ended the search or cut some path short; else None.
    best_actions: the path to the most promising state seen, the first with the lowest heuristic. The solution, if any.
    """

    status: str
    actions: list[Any]
    states: list[Any]
    cost: float
    expanded: int
    generated: int
    most_held: int
    depth: int
    seconds: float
    stopped_by: str | None
    best_actions: list[Any]

    @property
    def solved(self) -> bool:
        return self.status == "solved"


class Run:
    """The bookkeeping of one search."""

    def __init__(self, problem: Problem, budget: Budget):
        if not isinstance(budget, Budget):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"budget={budget!r}: must be a Budget, such as Budget(expansions=1000, seconds=2)")
        self.problem, self.budget = problem, budget
        self.began = time.perf_counter()
        self.expanded = self.generated = self.depth = 0
        self.most_held = 1
        self.stopped_by: str | None = None
        state = problem.start()
        self.start = Node(state, h=self._heuristic(state))
        self.most_promising = self.start

    def out_of_budget(self, node: Node) -> bool:
        """Is there nothing left to expand this node with? One too deep to be expanded costs nothing."""
        if self._too_deep(node):
            return False
        if self.expanded == self.budget.expansions:
            self.stopped_by = "expansions"
        elif self.budget.seconds is not None and time.perf_counter() - self.began >= self.budget.seconds:
            self.stopped_by = "seconds"
        else:
            return False
        return True

    def expand(self, node: Node) -> list[Node]:
        """The children of a node; none for one that is as deep as the budget allows."""
        if self._too_deep(node):
            if self.stopped_by is None and any(True for _ in self.problem.successors(node.state)):
                self.stopped_by = "depth"  # some path was cut short: the space will not have been exhausted
            return []
        children = [self._child(node, *step) for step in self.problem.successors(node.state)]
        self.expanded += 1
        self.generated += len(children)
        if children:
            self.depth = max(self.depth, node.depth + 1)
            self.most_promising = min(self.most_promising, *children, key=lambda child: child.h)
        return children

    def holds(self, nodes: int) -> None:
        """So many nodes are in memory now."""
        self.most_held = max(self.most_held, nodes)

    def solved(self, node: Node) -> Result:
        self.stopped_by, self.most_promising = None, node
        return self._result("solved", node.actions(), [n.state for n in node.path()], node.cost)

    def failed(self) -> Result:
        """No node is left, or the budget is spent: if the latter had no part in it, there is no solution."""
        return self._result("budget" if self.stopped_by else "no solution", [], [], math.inf)

    def _too_deep(self, node: Node) -> bool:
        return node.depth == self.budget.depth

    def _child(self, node: Node, action: Any, state: Any, cost: float) -> Node:
        if not cost >= 0:
            raise ConfigError(f"successors({node.state!r}) gave action {action!r} the cost {cost!r}: must be 0 or more")
        return Node(state, node, action, node.cost + cost, node.depth + 1, self._heuristic(state))

    def _heuristic(self, state: Any) -> float:
        h = self.problem.heuristic(state)
        if not h >= 0:
            raise ConfigError(f"heuristic({state!r}) gave {h!r}: must be 0 or more")
        return h

    def _result(self, status: str, actions: list[Any], states: list[Any], cost: float) -> Result:
        return Result(
            status,
            actions,
            states,
            cost,
            self.expanded,
            self.generated,
            self.most_held,
            self.depth,
            time.perf_counter() - self.began,
            self.stopped_by,
            self.most_promising.actions(),
        )

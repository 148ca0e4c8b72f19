"""Recursive best-first search (RBFS): best-first search whose memory use is linear in the path length.

RBFS follows the best path and remembers the f of the best alternative to this path (the limit). When the path becomes
worse than the limit, RBFS backtracks: it discards the subtree and keeps only the lowest f found in that subtree.
The textbook's recursion is replaced by an explicit stack with one `Call` per level, so only memory limits the path
length.
"""

import math
from dataclasses import dataclass

from shoverworld.core.checks import number

from .budget import UNLIMITED, Budget
from .problem import Problem
from .run import Node, Result, Run


@dataclass(slots=True, eq=False)
class Call:
    """One level of the recursion: RBFS(node, f_limit) in the textbook."""

    node: Node
    f_limit: float
    successors: list[Node] | None = None  # the successors; None until the node is expanded


def rbfs(problem: Problem, budget: Budget = UNLIMITED, weight: float = 1.0) -> Result:
    """Find a path, which has minimum cost if the heuristic is admissible. RBFS uses less memory but more time than A*.

    If `weight` is above 1, the heuristic has more influence, and the path costs at most `weight` times the optimum.
    """
    weight = number("weight", weight, at_least=1)
    run = Run(problem, budget)
    run.start.f = weight * run.start.h
    stack = [Call(run.start, math.inf)]
    on_path = {run.start.state}
    held = 1
    while stack:
        call = stack[-1]
        node = call.node
        if call.successors is None:
            if problem.is_goal(node.state):
                return run.solved(node)
            if run.out_of_budget(node):
                break
            call.successors = [s for s in run.expand(node) if s.state not in on_path]
            for s in call.successors:  # a child inherits the f that was stored for its parent on an earlier visit
                s.f = max(s.cost + weight * s.h, node.f)
            held += len(call.successors)
            run.record_nodes(held)
        best, alternative = two_lowest(call.successors)
        if best is None or best.f > call.f_limit:  # return to the caller with the lowest f of the discarded subtree
            node.f = math.inf if best is None else best.f
            held -= len(call.successors)
            on_path.remove(node.state)
            stack.pop()
        else:
            on_path.add(best.state)
            stack.append(Call(best, min(call.f_limit, alternative)))
    return run.failed()


def two_lowest(successors: list[Node]) -> tuple[Node | None, float]:
    """Return the first node with the lowest f (None if every f is infinite) and the lowest f of the other nodes."""
    best = min(successors, key=lambda node: node.f, default=None)
    if best is None or best.f == math.inf:
        return None, math.inf
    return best, min((node.f for node in successors if node is not best), default=math.inf)

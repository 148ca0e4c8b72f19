"""Recursive best-first search: best-first in the memory of a single path.

It follows the best path and remembers the f of the best alternative on the way (the limit). When the path gets worse
than that, it goes back and forgets it, all but one number: how good the forgotten part was at its best.
The textbook's recursion is an explicit stack here, one `Call` a level, so a path can be as long as memory allows.
"""

import math
from dataclasses import dataclass

from shoverworld.core.checks import number

from .budget import UNLIMITED, Budget
from .problem import Problem
from .run import Node, Result, Run


@dataclass(slots=True, eq=False)
class Call:
    """One level of the recursion: RBFS(node, f_limit)."""

    node: Node
    f_limit: float
    successors: list[Node] | None = None  # None until the call begins


def rbfs(problem: Problem, budget: Budget = UNLIMITED, weight: float = 1.0) -> Result:
    """A cheapest path when the heuristic is admissible, as A*, for little memory and more time.

    With `weight` above 1 it trusts the heuristic more: the path is at most `weight` times as dear as the cheapest.
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
            for s in call.successors:  # a forgotten path known to be worse than it looks passes that on
                s.f = max(s.cost + weight * s.h, node.f)
            held += len(call.successors)
            run.holds(held)
        best, alternative = two_lowest(call.successors)
        if best is None or best.f > call.f_limit:  # return to the caller, with the f of what is forgotten
            node.f = math.inf if best is None else best.f
            held -= len(call.successors)
            on_path.remove(node.state)
            stack.pop()
        else:
            on_path.add(best.state)
            stack.append(Call(best, min(call.f_limit, alternative)))
    return run.failed()


def two_lowest(successors: list[Node]) -> tuple[Node | None, float]:
    """The node with the lowest f, the first among equals, and the f of the next; None when no goal is to be had."""
    best = min(successors, key=lambda node: node.f, default=None)
    if best is None or best.f == math.inf:
        return None, math.inf
    return best, min((node.f for node in successors if node is not best), default=math.inf)

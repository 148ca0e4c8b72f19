"""Breadth-first search, which explores all paths of length one, then all paths of length two, and so on."""

from collections import deque

from .budget import UNLIMITED, Budget
from .problem import Problem
from .run import Result, Run


def breadth_first(problem: Problem, budget: Budget = UNLIMITED) -> Result:
    """Find a path with the fewest actions, regardless of their cost."""
    run = Run(problem, budget)
    if problem.is_goal(run.start.state):
        return run.solved(run.start)
    frontier = deque([run.start])
    reached = {run.start.state}
    while frontier:
        if run.out_of_budget(frontier[0]):
            break
        for child in run.expand(frontier.popleft()):
            if problem.is_goal(child.state):
                return run.solved(child)
            if child.state not in reached:
                reached.add(child.state)
                frontier.append(child)
        run.record_nodes(run.expanded + len(frontier))
    return run.failed()

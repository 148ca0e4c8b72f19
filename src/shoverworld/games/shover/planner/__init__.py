"""The planner: an anytime search through the compiled rules that finds plans and proves them optimal.

solver.py     `solve`, the entry point: searches until the time is up or the best plan is proved optimal
layers.py     one search, layer by layer: a narrow one finds plans, a wide one proves that there is no better plan
moves.py      the moves of a plan and the walks between them
heuristic.py  the estimate that guides the search to plans
bounds.py     the bounds on which the proofs rest
keys.py       the transposition table and the dominance test
distances.py  the distances to lava
plan.py       the result of `solve`
"""

from .plan import ShoverPlan
from .solver import solve

__all__ = ["ShoverPlan", "solve"]

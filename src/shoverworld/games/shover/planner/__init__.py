"""An anytime planner. It searches with the compiled rules, finds plans and tries to prove that a plan is optimal.

solver.py     `solve`, the entry point, which searches until time is up or the best plan is proved optimal
searcher.py   a layer-by-layer search: a narrow search finds plans, and a wide one proves that no better plan exists
expansion.py  the expansion of a layer: moves, children, what can be discarded
beam.py       the memory of the search: layers, the best children, the path to the plan
moves.py      the moves of a plan and the walks between them
heuristic.py  the estimate that guides the search towards plans
bounds.py     the bounds on which the proofs are based
boxes.py      the list of the boxes of one game
keys.py       the transposition table and the dominance test
distances.py  the distances to lava
plan.py       the result of `solve`
"""

from .plan import ShoverPlan
from .solver import solve

__all__ = ["ShoverPlan", "solve"]

"""Plans that are proved: an anytime search through the compiled rules. `solve` is the way in (solver.py).

moves.py    the moves a plan is made of, with the walks between them
field.py    how far the lava is
keys.py     which games were met already, and which are no better
bounds.py   what no plan can beat: proofs rest on it
promise.py  what looks good: plans are found by it
layers.py   one search, layer by layer: narrow, it finds; wide enough, it proves
solver.py   one search after another, until the time is up or the best plan is proved
plan.py     what `solve` returns
"""

from .plan import ShoverPlan
from .solver import solve

__all__ = ["ShoverPlan", "solve"]

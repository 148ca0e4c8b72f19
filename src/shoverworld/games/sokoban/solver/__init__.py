"""The solver: the fewest pushes, the fewest moves, or any solution of a level. Start with solver.py."""

from .plan import SokobanPlan
from .solver import solve

__all__ = ["SokobanPlan", "solve"]

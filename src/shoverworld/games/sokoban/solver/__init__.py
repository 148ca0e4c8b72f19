"""The solver: find a solution with the fewest pushes, the fewest moves, or any solution. Start with solver.py."""

from .plan import SokobanPlan
from .solver import solve

__all__ = ["SokobanPlan", "solve"]

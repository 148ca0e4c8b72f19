"""The Sokoban solver. It finds a solution with the fewest pushes, one with the fewest moves, or any solution.

Start with solver.py.
"""

from .plan import SokobanPlan
from .solver import solve

__all__ = ["SokobanPlan", "solve"]

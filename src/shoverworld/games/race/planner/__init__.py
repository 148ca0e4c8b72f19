"""The planner finds provably optimal plans (fewest moves) from one start, all starts or any state (solver.py)."""

from .plan import OutOfMemory, OutOfTime, RacePlan
from .solver import fewest, solve
from .values import Values, values_of

__all__ = ["OutOfMemory", "OutOfTime", "RacePlan", "Values", "fewest", "solve", "values_of"]

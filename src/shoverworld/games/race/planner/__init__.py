"""The planner: the fewest moves to the finish, proved: from a start, the best one, all of them, or any state. See solver.py."""

from .plan import OutOfMemory, OutOfTime, RacePlan
from .solver import fewest, solve
from .values import Values, values_of

__all__ = ["OutOfMemory", "OutOfTime", "RacePlan", "Values", "fewest", "solve", "values_of"]

"""The interface between a search and a problem: three required methods and an optional heuristic."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, Protocol


class Problem(Protocol):
    """A search problem: a start state, a goal test and a successor function.

    Derive from this class and implement `start`, `is_goal` and `successors`. The default `heuristic` returns 0. Any
    other object with these four methods works as well. States must be hashable and immutable, such as tuples, strings
    and frozensets.
    """

    @abstractmethod
    def start(self) -> Hashable:
        """Return the state in which the search begins."""
        ...

    @abstractmethod
    def is_goal(self, state: Any) -> bool:
        """Return whether the state is a goal."""
        ...

    @abstractmethod
    def successors(self, state: Any) -> Iterable[tuple[Any, Hashable, float]]:
        """Yield (action, next state, cost) for each action possible in the state. Costs must not be negative."""
        ...

    def heuristic(self, state: Any) -> float:
        """Estimate the cost from the state to the nearest goal. Return `math.inf` if no goal can be reached.

        If the estimate is never too high (that is, if it is admissible), A* and RBFS find a path of minimum cost.
        """
        return 0.0

"""What a search needs to know of a problem: three methods, and a fourth that makes it quick."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, Protocol


class Problem(Protocol):
    """A start, a goal and the ways from state to state.

    Derive from it and write `start`, `is_goal` and `successors`; `heuristic` is 0 until you write it too. Any object
    with the four methods will do as well. States are hashable (tuples, strings, frozen sets ...) and never changed.
    """

    @abstractmethod
    def start(self) -> Hashable:
        """The state the search begins in."""

    @abstractmethod
    def is_goal(self, state: Any) -> bool:
        """Is this where we want to be?"""

    @abstractmethod
    def successors(self, state: Any) -> Iterable[tuple[Any, Hashable, float]]:
        """What can be done here: (action, next state, cost) for each action. No cost is negative."""

    def heuristic(self, state: Any) -> float:
        """A guess of the cost from here to the nearest goal; `math.inf` where no goal can be reached.

        A guess that is never too high (admissible) makes A* and RBFS find a cheapest path.
        """
        return 0.0

"""Textbook search algorithms for any `Problem`, written to resemble their pseudocode.

>>> from shoverworld.search import Problem, breadth_first
>>> class Jugs(Problem):
...     "Measure 4 litres with a tap, a 3-litre jug and a 5-litre jug."
...     def start(self):
...         return 0, 0
...     def is_goal(self, state):
...         return 4 in state
...     def successors(self, state):
...         a, b = state
...         to_b, to_a = min(a, 5 - b), min(b, 3 - a)
...         yield "fill 3", (3, b), 1
...         yield "fill 5", (a, 5), 1
...         yield "empty 3", (0, b), 1
...         yield "empty 5", (a, 0), 1
...         yield "3 into 5", (a - to_b, b + to_b), 1
...         yield "5 into 3", (a + to_a, b - to_a), 1
>>> breadth_first(Jugs()).actions
['fill 5', '5 into 3', 'empty 3', '5 into 3', 'fill 5', '5 into 3']
"""

from .best_first import astar, best_first, greedy_best_first, uniform_cost, weighted_astar
from .breadth_first import breadth_first
from .budget import UNLIMITED, Budget
from .problem import Problem
from .rbfs import rbfs
from .run import Node, Result

__all__ = [
    "UNLIMITED",
    "Budget",
    "Node",
    "Problem",
    "Result",
    "astar",
    "best_first",
    "breadth_first",
    "greedy_best_first",
    "rbfs",
    "uniform_cost",
    "weighted_astar",
]

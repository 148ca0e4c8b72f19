"""The agents of Shover-World: greedy, and the agent of the Phase 2 report."""

from .greedy import GreedyAgent
from .phase2 import Phase2Agent

__all__ = ["GreedyAgent", "Phase2Agent"]

"""The agents for Shover-World: the greedy agent and the agent from the Phase 2 report."""

from .greedy import GreedyAgent
from .phase2 import Phase2Agent

__all__ = ["GreedyAgent", "Phase2Agent"]

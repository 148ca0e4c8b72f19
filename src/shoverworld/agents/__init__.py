"""Agents: anything with `reset(info)` and `act(obs, info) -> action`."""

from .base import Agent, RandomAgent
from .greedy import GreedyAgent
from .phase2 import Phase2Agent
from .plan import PlanAgent

__all__ = ["Agent", "GreedyAgent", "Phase2Agent", "PlanAgent", "RandomAgent"]

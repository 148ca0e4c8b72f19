"""Agents: anything with `reset(info)` and `act(obs, info) -> action`."""

from .base import Agent, RandomAgent
from .plan import PlanAgent

__all__ = ["Agent", "PlanAgent", "RandomAgent"]

"""Agents: objects with `reset(info)` and `act(obs, info) -> action`. Agents for a single game are in games/NAME/."""

from .base import Agent, PlanAgent, RandomAgent

__all__ = ["Agent", "PlanAgent", "RandomAgent"]

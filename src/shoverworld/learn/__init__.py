"""Policies that learn to play from the labels of a game's own solver, and a search with these policies.

    from shoverworld import learn
    model = learn.train("sokoban", "levels.xsb", minutes=10)
    model.save("model.npz")
    plan = learn.plan(env, model, method="phs", expansions=1000)

Start with training.py. A game brings its features and labels through `Game.learning` (core/learning.py).
sb3.py is an adapter for Stable-Baselines3.
"""

from .agents import LearnedAgent, LearnedSearchAgent
from .model import Model, packaged_model
from .searching import plan
from .training import Progress, Settings, Stop, Trainer, train

__all__ = [
    "LearnedAgent",
    "LearnedSearchAgent",
    "Model",
    "Progress",
    "Settings",
    "Stop",
    "Trainer",
    "packaged_model",
    "plan",
    "train",
]

"""Shover-World. Start with rules.py: it is the game."""

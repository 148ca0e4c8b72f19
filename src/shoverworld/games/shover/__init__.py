"""Shover-World. Read rules.py first: it contains the rules of the game."""

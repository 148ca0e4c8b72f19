"""Shover-World. Start reading with rules.py, which contains the rules of the game."""

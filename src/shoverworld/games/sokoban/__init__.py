"""Sokoban and its variants. Start reading with rules.py, which defines the game."""

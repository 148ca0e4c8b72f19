"""Sokoban and its family. Start with rules.py: it is the game."""

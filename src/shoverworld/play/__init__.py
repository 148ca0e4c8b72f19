"""Playing without a screen: the game table with undo, hints, agents, levels and records; settings, files and videos.

This package uses games only through their descriptors (core/game.py). The window and the terminal are views of
these models.
"""

"""A game between people and what they see: sessions with undo, hints, agents, records, settings and films.

Knows the rooms only by their fronts (core/ui.py). The window (desktop/) and the terminal are built on it.
"""

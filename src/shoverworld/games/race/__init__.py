"""The grid race: cars with inertia on a track of cells. Start with rules.py: it is the game."""

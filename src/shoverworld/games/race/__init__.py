"""The grid race: cars with inertia drive on a track of cells. Start with rules.py, which defines the game."""

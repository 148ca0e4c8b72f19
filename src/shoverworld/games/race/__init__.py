"""The grid race: cars with inertia drive on a track of cells. To read the code, start with rules.py."""

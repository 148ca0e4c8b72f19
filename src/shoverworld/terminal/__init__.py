"""Views for a terminal: the game, games that are watched, and the demo."""

"""Views for a terminal: the game, games that are being watched, and the demo."""

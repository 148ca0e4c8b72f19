"""Views for a terminal: a game that is being played, a game that is being watched, and the demo."""

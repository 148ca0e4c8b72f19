"""One room a game, the same furniture in each."""

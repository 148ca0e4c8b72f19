"""Code that all games share. Nothing in this package depends on a particular game."""

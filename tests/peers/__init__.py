"""Comparisons with other packages, which are installed in separate virtual environments."""

"""A learned policy over pushes for Sokoban: features, labels from the solver, and a search guided by the policy."""

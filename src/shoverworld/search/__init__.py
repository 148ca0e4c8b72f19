"""The textbook: search algorithms that read like their pseudocode, on any `Problem`."""

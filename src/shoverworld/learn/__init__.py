"""Learning: adapters for learning libraries."""

"""State spaces: shortest sequences of moves, proved by search."""

"""tic-tac-toe-v0."""

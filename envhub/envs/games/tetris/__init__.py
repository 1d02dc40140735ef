"""tetris-v0."""

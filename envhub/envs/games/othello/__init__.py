"""othello-v0."""

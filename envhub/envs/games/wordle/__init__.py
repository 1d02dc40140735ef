"""wordle-v0."""

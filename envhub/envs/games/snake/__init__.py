"""snake-v0."""

"""countdown-v0."""

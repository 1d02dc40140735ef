"""equation-v0."""

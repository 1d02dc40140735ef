"""maze-v0."""

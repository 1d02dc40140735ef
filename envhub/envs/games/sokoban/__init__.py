"""sokoban-v0."""

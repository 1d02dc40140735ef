"""minesweeper-v0."""

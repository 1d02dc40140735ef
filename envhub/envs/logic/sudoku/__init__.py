"""sudoku-v0."""

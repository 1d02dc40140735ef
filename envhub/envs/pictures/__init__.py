"""Tasks of seeing: shapes, puzzles, boards and charts in pictures."""

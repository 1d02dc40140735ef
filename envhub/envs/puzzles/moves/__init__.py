"""State puzzles: solved by moves, as a whole plan or move by move."""

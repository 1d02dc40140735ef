"""State puzzles, as a whole plan or move by move."""

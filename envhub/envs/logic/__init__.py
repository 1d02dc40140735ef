"""Logic puzzles."""

"""Grid puzzles."""

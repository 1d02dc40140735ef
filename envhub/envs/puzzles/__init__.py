"""Grid puzzles, each with one solution unless its page says that any completion counts."""

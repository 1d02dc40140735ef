"""Grid puzzles, most of them with exactly one solution.

A puzzle has exactly one solution unless its page says that any completion counts.
"""

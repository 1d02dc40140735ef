"""Graphs: drawing them, and shortest paths."""

"""Graphs: a witness in a graph, and its value."""

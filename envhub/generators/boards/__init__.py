"""Boards of squares, shared by board games."""

"""Arithmetic and algebra."""

"""Faults of functions and settings, and how they are drawn."""

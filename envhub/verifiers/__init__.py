"""Judging: answer types, extraction, and all code that decides whether text solves a problem.

Nothing here evaluates model text as code, and nothing raises on any text.
"""

"""Judging: all code that decides whether text solves a problem.

Answer types and extraction are part of it. Nothing here evaluates model text as code, and nothing raises on any text.
"""

"""The judgement: answer types, extraction and everything that decides whether text solves a problem.

Nothing here evaluates model text as code, and nothing raises on any text.
"""

"""Exact numbers: formulas, primes, congruences, puzzles and stories.

Integers and fractions only.
"""

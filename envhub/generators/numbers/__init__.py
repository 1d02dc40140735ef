"""Exact numbers: formulas, primes, congruences, numerals, digit puzzles and stories. Integers and fractions only."""

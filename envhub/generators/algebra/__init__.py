"""Exact algebra: polynomials and their factors, matrices, formulas and their derivatives, a normal form."""

"""Exact algebra: polynomials, matrices, formulas, derivatives and a normal form.

Polynomials can be factored.
"""

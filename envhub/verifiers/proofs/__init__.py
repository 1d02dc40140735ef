"""Formal proofs: the kernels of Lean and Coq, and our tools.

Our own tools work on proofs and formulas.
"""

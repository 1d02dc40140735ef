"""Formal proofs: submissions checked by the kernels of Lean and Coq, and proofs and formulas of our own."""

"""Formal proofs: the kernels of Lean and Coq, and our own proof and formula tools."""

"""Environments whose answers are proofs, checked by a kernel."""

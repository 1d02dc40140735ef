"""Environments whose answers are proofs, judged by a kernel."""

"""Domains of tau2-bench, from the user's checkout."""

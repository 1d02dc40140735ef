"""Environments about programs, graded by running them in a sandbox."""

"""shisen-sho-v0."""

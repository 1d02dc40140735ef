"""knights-knaves-v0."""

"""match-three-v0."""

"""zebra-v0."""

"""connect-four-v0."""

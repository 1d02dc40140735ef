"""mastermind-v0."""

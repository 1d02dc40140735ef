"""next-state-v0: what a simulated world answers next."""

"""preference-v0: find out what a simulated user wants."""

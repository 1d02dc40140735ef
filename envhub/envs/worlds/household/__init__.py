"""household-v0: errands in a house."""

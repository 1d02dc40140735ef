"""The registry of environments, and their descriptions."""

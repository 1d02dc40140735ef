"""ALFWorld's games, from data that the user supplies."""

"""TextWorld's games, generated or supplied by the user."""

"""TextArena's games as environments."""

"""OpenSpiel's games as environments."""

"""reasoning-gym's datasets as environments."""

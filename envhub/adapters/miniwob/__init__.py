"""MiniWoB++'s pages as environments."""

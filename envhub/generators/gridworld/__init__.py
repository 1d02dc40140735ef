"""Grid worlds by MiniGrid's rules: rooms, missions, views and plans."""

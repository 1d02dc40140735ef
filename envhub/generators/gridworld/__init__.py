"""Rooms with doors and things, seen and changed by an agent with seven actions: MiniGrid's rules, without the library."""

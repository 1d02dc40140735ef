"""Engines that several environments share; independent of environments, prompts and rewards."""

"""Shared basis of all packages: types, seeds, difficulty, effects, resources, tools, errors."""

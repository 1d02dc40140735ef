"""The nouns and rules that every other package speaks: types, seeds, difficulty, effects, resources, tools, errors."""

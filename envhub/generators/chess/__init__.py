"""Chess: the rules, the notations, search, and positions."""

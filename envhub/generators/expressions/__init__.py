"""Integer expressions: trees, and a strict parser and printer of their text."""

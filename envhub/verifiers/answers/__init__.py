"""Answer types: their format sentences, extraction from text, and parsing."""

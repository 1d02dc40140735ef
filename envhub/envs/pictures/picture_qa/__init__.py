"""picture-qa-v0: questions about positions of games and puzzles."""

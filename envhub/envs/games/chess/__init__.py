"""chess-v0 and chess-mate-v0."""

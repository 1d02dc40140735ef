"""blackjack-v0."""

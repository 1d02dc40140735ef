"""verl: a reward function, a reward manager and an agent loop."""

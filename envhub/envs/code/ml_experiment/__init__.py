"""ml-experiment-v0: learn from generated data in a Python session, and predict."""

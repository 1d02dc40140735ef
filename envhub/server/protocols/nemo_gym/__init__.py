"""NeMo Gym's resources server."""

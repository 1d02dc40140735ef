"""swe-dataset-v0: repair repositories in Docker images that the user has."""

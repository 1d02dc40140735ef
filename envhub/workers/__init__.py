"""Worker processes that end with their parent, and the pool that runs verifiers in them."""

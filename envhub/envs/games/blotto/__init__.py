"""blotto-v0."""

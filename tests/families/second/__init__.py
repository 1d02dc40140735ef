"""Second implementations: the answers of members, found by other means than ours."""

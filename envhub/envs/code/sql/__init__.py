"""Questions about small relational databases, with reference queries and wrong queries."""

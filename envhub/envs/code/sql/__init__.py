"""Questions about small relational databases: schemas, data, questions with reference queries, and wrong queries."""

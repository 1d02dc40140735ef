"""rewrite-puzzle-v0, rewrite-plan-v0 and rewrite-dataset-v0: puzzle games given as grid rewrite rules."""

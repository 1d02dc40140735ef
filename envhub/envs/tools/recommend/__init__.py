"""preference-v1: ask a user what matters to them, and recommend an offer."""

"""Language models as judges: prompts, replies and the endpoint."""

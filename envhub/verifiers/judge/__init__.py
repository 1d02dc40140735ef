"""Models as judges: prompts, replies, and the endpoint that carries them."""

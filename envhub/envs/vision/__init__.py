"""Questions about pictures."""

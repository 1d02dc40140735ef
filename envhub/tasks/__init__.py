"""Tasks: drawn from seeds within bounds, cached, mixed and streamed."""

"""geometry-v0: exact questions about drawn figures."""

"""chart-qa-v0: questions about charts."""

"""terminal-v0: tickets about a generated server, worked on with bash."""

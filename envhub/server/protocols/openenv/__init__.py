"""OpenEnv's protocol: HTTP, sessions over WebSockets, and MCP."""

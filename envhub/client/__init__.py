"""The client of a server: hubs, and their environments, over HTTP or WebSockets."""

"""Clients of an envhub server: hubs and their environments, over HTTP or WebSockets."""

"""Clients of an envhub server: hubs and environments.

Over HTTP or WebSockets.
"""

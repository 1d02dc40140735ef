"""The broker, and its client.

One process per host that owns the slots.
"""

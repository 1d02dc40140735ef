"""The broker: one process per host that owns the slots, and its client."""

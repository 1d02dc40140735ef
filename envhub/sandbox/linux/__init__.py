"""The default backend.

Jails made of Linux namespaces, control groups and user ids.
"""

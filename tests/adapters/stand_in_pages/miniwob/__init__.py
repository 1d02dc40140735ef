"""Stands in for MiniWoB++: two pages of our own under its names. The adapter must not import it."""

raise ImportError("The package was imported; only its files may be read.")

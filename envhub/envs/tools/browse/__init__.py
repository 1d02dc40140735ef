"""browse-v0: look things up in a directory with forms."""

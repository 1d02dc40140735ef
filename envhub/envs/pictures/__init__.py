"""Tasks of seeing, with pictures or lists of shapes."""

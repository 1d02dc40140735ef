"""Tasks of seeing: what is asked is in a picture, or in a list of what is drawn."""

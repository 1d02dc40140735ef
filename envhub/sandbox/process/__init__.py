"""The ``process`` backend: plain processes without isolation, for trusted programs."""

"""The ``docker`` backend: containers as slots."""

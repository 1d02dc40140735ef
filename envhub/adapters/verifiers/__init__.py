"""The ``verifiers`` library: a taskset, and ``load_environment`` for older versions."""

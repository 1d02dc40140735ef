"""Never imported: the adapter goes around it, as the real one imports clients of models."""

raise ImportError("the package itself must not be imported")

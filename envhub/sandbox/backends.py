"""The sandbox backends by name."""

from __future__ import annotations

from typing import Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.sandbox.backend import Backend

BACKENDS: Final = ("namespace", "docker", "process")


def backend_named(backend: str) -> Backend:
    """A backend by name.

    Raises:
        InvalidParameters: No backend has this name, or it has to be allowed first.
        MissingExtra: It cannot work here.
    """
    if backend == "namespace":
        from envhub.sandbox.linux.namespace import NamespaceBackend

        return NamespaceBackend()
    if backend == "docker":
        from envhub.sandbox.docker.backend import DockerBackend

        return DockerBackend()
    if backend == "process":
        from envhub.sandbox.process.backend import ProcessBackend

        return ProcessBackend()
    raise InvalidParameters(
        f"No sandbox backend {backend!r}; expected one of {', '.join(BACKENDS)}.{nearest(backend, BACKENDS)}"
    )

"""What the tests of jails share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.sandbox.linux.namespace import NamespaceSlot
from tests.sandbox import jails
from tests.sandbox.daemons import docker_backend, docker_host, docker_image

__all__ = ["docker_backend", "docker_host", "docker_image", "slot"]


@pytest.fixture(scope="module")
def slot() -> Iterator[NamespaceSlot]:
    """A warm slot for the tests of one file."""
    made = jails.slot(0)
    made.start()
    yield made
    made.close()

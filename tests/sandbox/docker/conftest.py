"""Slots that are containers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.sandbox.docker.backend import DockerBackend, DockerSlot
from tests.sandbox.docker.containers import started


@pytest.fixture(scope="module")
def slot(docker_backend: DockerBackend) -> Iterator[DockerSlot]:
    made = started(docker_backend, 1)
    yield made
    made.close()


@pytest.fixture
def other(docker_backend: DockerBackend) -> Iterator[DockerSlot]:
    """A slot that a test may spoil."""
    made = started(docker_backend, 2)
    yield made
    made.close()

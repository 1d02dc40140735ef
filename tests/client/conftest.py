"""A real server, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import envhub
from envhub.client.hub import Hub
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings())) as address:
        yield address


@pytest.fixture(scope="module")
def hub(url: str) -> Iterator[Hub]:
    with envhub.connect(url) as hub:
        yield hub


@pytest.fixture(autouse=True)
def _drawn_once(drawn_once: None) -> None:
    """What is served was drawn at home as well."""

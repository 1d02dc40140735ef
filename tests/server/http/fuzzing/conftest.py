"""A real server that no test of a file may disturb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.server.raw import no_complaints
from tests.server.serving import serving


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(create_app(ServerSettings(max_episodes=2000))) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with no_complaints():
        yield server

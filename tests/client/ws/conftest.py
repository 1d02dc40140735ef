"""A real server to be reached over WebSockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.server.serving import serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 20_000))) as address:
        yield address.replace("http", "ws")

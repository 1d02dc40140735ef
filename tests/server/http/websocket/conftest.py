"""A server with keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.http.websocket.talking import Keyed
from tests.server.serving import Api


@pytest.fixture
def keyed(tmp_path: Path, make_api: Callable[..., Api]) -> Keyed:
    return Keyed(tmp_path / "keys.json", make_api)

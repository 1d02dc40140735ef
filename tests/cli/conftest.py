"""A place with nothing of whoever runs the tests, for those that ask for it; and a real server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.evaluation.demo import serving as a_server


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No envhub.toml and no ENVHUB_* of whoever runs the tests; no terminal width either."""
    monkeypatch.chdir(tmp_path)
    for name in [*filter(lambda name: name.upper().startswith("ENVHUB_"), os.environ), "COLUMNS"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with a_server() as address:
        yield address

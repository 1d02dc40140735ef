"""Pools of the tests, and a line on which workers say that they live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.workers.pool import Pool
from tests.workers.pool.calling import Line


@pytest.fixture(scope="module")
def shared() -> Iterator[Pool]:
    """For what leaves a pool as it was."""
    with Pool() as pool:
        yield pool


@pytest.fixture
def one() -> Iterator[Pool]:
    """With one worker, so that it is clear who answers."""
    with Pool(workers=1) as pool:
        yield pool


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path / "line")
    yield made
    made.close()

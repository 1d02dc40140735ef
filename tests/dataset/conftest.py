"""What the tests of judging share."""

from __future__ import annotations

from pathlib import Path

import pytest

from envhub.dataset import generate
from tests.dataset.workshop import config


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Three rows of arithmetic."""
    generate(config(rows=3), tmp_path / "tasks.jsonl", processes=1)
    return tmp_path / "tasks.jsonl"

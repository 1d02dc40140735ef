"""One thread for torch: the models are too small for more, and the tests run side by side."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Set it where a test's module has imported torch; a test of pure Python need not have it."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)

"""What the tests of programs share."""

from __future__ import annotations

import pytest

from tests.sandbox import jails


@pytest.fixture(scope="module")
def sandbox() -> None:
    """Programs can be run here."""
    jails.backend()

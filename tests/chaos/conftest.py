"""What the chaos tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import envhub
from envhub.registry.registry import unregister
from tests.chaos.ledger import ENTRY, LEDGER


@pytest.fixture(autouse=True)
def ledger() -> Iterator[None]:
    """The environment whose turns have effects."""
    envhub.register(LEDGER, ENTRY)
    yield
    unregister(LEDGER)

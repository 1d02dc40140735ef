"""Where a test gets a namespace slot: as the user who runs the tests, and as an unprivileged one when that is root."""

from __future__ import annotations

import os

import pytest

from envhub.errors import MissingExtra
from envhub.sandbox.backend import Slot
from envhub.sandbox.namespace import NamespaceBackend


def backend() -> NamespaceBackend:
    """The backend; where the machine forbids it the test is skipped, but fails in CI."""
    try:
        found = NamespaceBackend()
        wrong = next((said for name, said in found.layers().items() if name == "namespaces" and said != "active"), "")
    except MissingExtra as error:
        wrong = str(error)
    if wrong:
        if os.environ.get("CI"):
            pytest.fail(f"CI has to be able to make namespaces: {wrong}")
        pytest.skip(wrong)
    return found


def started(number: int) -> Slot:
    slot = backend().slot(number)
    slot.start()
    return slot

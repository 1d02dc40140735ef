"""A browser for tests: where there is none, tests are skipped by name; in CI they fail."""

from __future__ import annotations

import os

import pytest

from envhub.browser.executable import missing


def needed() -> None:
    """The headless shell: installed, or the test is skipped; in CI it fails."""
    lacks = missing()
    if lacks is not None and os.environ.get("CI"):
        pytest.fail(lacks)
    if lacks is not None:
        pytest.skip(lacks)

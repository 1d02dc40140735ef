"""Jails made by an unprivileged user pass the same tests as jails made by root."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox import jails

FILES = (
    "test_programs.py",
    "test_limits.py",
    "inside/test_calls.py",
    "inside/test_walls.py",
    "inside/test_runner.py",
    "linux/test_namespace.py",
    "slots/test_session.py",
)


@pytest.mark.parametrize("name", FILES)
def test_the_file_passes_as_an_unprivileged_user(name: str) -> None:
    jails.again_unprivileged(str(Path(__file__).with_name(name)))

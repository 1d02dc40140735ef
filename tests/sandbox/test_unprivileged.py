"""Jails made by an unprivileged user pass the same tests as jails made by root."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox import jails

HERE = Path(__file__).parent
FILES = ("linux/test_namespace", "inside/test_walls")
BY_NIGHT = ("test_programs", "inside/test_calls", "test_limits", "inside/test_runner", "slots/test_session")


@pytest.mark.parametrize("name", [*FILES, *(pytest.param(name, marks=pytest.mark.nightly) for name in BY_NIGHT)])
def test_all_of_it_holds_for_an_unprivileged_user(name: str) -> None:
    jails.again_unprivileged(str(HERE / f"{name}.py"))

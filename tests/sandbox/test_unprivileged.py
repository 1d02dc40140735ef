"""What holds of jails that root makes holds of those that anybody makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox import jails

FILES = ("programs", "calls", "limits", "walls", "namespace", "steward", "stream_session")


@pytest.mark.parametrize("name", FILES)
def test_all_of_it_holds_for_an_unprivileged_user(name: str) -> None:
    jails.again_unprivileged(str(Path(__file__).with_name(f"test_{name}.py")))

"""The trainer stays small enough to read."""

from __future__ import annotations

import inspect

from envhub_trainer.loop import train
from tests.support.places import ROOT


def test_the_package_has_at_most_14_000_lines() -> None:
    files = (ROOT / "trainer").rglob("*.py")
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 14_000


def test_the_loop_fits_one_screen() -> None:
    assert len(inspect.getsource(train).splitlines()) <= 40

"""The page about original data shows episodes as they are played."""

from __future__ import annotations

import runpy

import pytest

from tests.support.places import ROOT

pytestmark = pytest.mark.slow


def test_the_transcripts_are_what_is_played() -> None:
    written = runpy.run_path(str(ROOT / "docs" / "original_data.py"))
    text = written["PAGE"].read_text()
    assert len(written["PLAYED"].findall(text)) == 3
    assert written["filled"](text) == text, "python docs/original_data.py writes it again"

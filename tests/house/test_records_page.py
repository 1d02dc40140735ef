"""The page of ehr-v0 contains what is played."""

from __future__ import annotations

import importlib
import sys

import pytest

from tests.envs.code.lives import jailed
from tests.support.places import ROOT

__all__ = ["jailed"]


@pytest.mark.slow
@pytest.mark.usefixtures("jailed")
def test_the_transcript_is_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    for name in ("records", "services", "transcripts"):  # modules of the folder, for this test only
        monkeypatch.delitem(sys.modules, name, raising=False)
    records = importlib.import_module("records")
    text = records.FILE.read_text()
    assert records.filled(text, "transcripts", records.transcript()) == text, "make transcripts"
    assert "Solved: score" in text

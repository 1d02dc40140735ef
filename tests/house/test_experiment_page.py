"""The page of ml-experiment-v0 contains what is played, and rates that are measured."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from tests.support.kernels import needed
from tests.support.places import ROOT


@pytest.fixture
def experiments(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that writes the page."""
    needed("ml-experiment-v0")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    for name in ("experiments", "services", "transcripts"):  # modules of the folder, for this test only
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("experiments")


@pytest.mark.slow
def test_the_transcript_is_what_is_played(experiments: ModuleType) -> None:
    text = experiments.FILE.read_text()
    assert experiments.filled(text, "transcripts", experiments.transcript()) == text, "make transcripts"
    assert "Solved: score" in text


@pytest.mark.nightly
def test_the_rates_are_measured(experiments: ModuleType) -> None:
    assert experiments.rates() in experiments.FILE.read_text(), "python docs/experiments.py rates"

"""The pages of the shop and of customer service contain what is played, and rates that are measured."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from tests.support.places import ROOT

DOCS = ROOT / "docs"


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that writes the pages."""
    monkeypatch.syspath_prepend(str(DOCS))
    told = importlib.util.spec_from_file_location("docs_services", DOCS / "services.py")
    assert told is not None
    assert told.loader is not None
    module = importlib.util.module_from_spec(told)
    monkeypatch.setitem(sys.modules, told.name, module)
    told.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("name", ["webshop", "customer-service"])
def test_the_transcripts_are_what_is_played(services: ModuleType, name: str) -> None:
    text = services.file(name).read_text()
    assert services.filled(text, "transcripts", services.transcripts(name)) == text, "make transcripts"
    assert text.count("Solved: score 1.000") == len(services.SHOWN[name])


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["webshop", "customer-service"])
def test_the_rates_are_measured(services: ModuleType, name: str) -> None:
    assert services.rates(name) in services.file(name).read_text(), "python docs/services.py rates"


def test_a_page_without_marks_is_refused(services: ModuleType) -> None:
    assert (
        services.filled("a\n<!-- b -->\nold<!-- end of b -->\n", "b", "new\n")
        == "a\n<!-- b -->\nnew\n<!-- end of b -->\n"
    )
    with pytest.raises(ValueError, match=re.escape("no marks for c")):
        services.filled("a\n<!-- b -->\n<!-- end of b -->", "c", "new")

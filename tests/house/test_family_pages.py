"""The pages of the families show members as they are."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.support.places import ROOT

PAGES = sorted((ROOT / "docs" / "families").glob("*.md"))
WRITER = runpy.run_path(str(ROOT / "docs" / "family_pages.py"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_its_smallest_member_whole(page: Path) -> None:
    text = page.read_text()
    listings = WRITER["LISTING"].findall(text)
    assert len(listings) == text.count("```python"), "name the file before its listing: `envhub/envs/...py`:"
    assert listings or page.stem == "README"
    assert WRITER["filled"](text) == text, "python docs/family_pages.py writes it again"


def test_every_family_has_a_page() -> None:
    index = (ROOT / "docs" / "families" / "README.md").read_text()
    for page in PAGES:
        assert page.name == "README.md" or f"]({page.name})" in index

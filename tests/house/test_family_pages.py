"""The pages of the families show members as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.places import ROOT

PAGES = sorted((ROOT / "docs" / "families").glob("*.md"))
LISTING = re.compile(r"`(envhub/envs/\S+\.py)`:\n\n```python\n(.*?)```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_its_smallest_member_whole(page: Path) -> None:
    text = page.read_text()
    listings = LISTING.findall(text)
    assert len(listings) == text.count("```python"), "name the file before its listing: `envhub/envs/...py`:"
    assert listings or page.stem == "README"
    for file, listing in listings:
        assert listing == (ROOT / file).read_text()


def test_every_family_has_a_page() -> None:
    index = (ROOT / "docs" / "families" / "README.md").read_text()
    for page in PAGES:
        assert page.name == "README.md" or f"]({page.name})" in index

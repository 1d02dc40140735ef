"""The pages of the worlds show episodes as they are played."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from envhub.registry.registry import builtin_ids, spec
from tests.support.browsers import needed
from tests.support.places import ROOT

WRITER = runpy.run_path(str(ROOT / "docs" / "world_pages.py"))
PAGES = [
    page for page in sorted((ROOT / "docs" / "worlds").glob("*.md")) if WRITER["TRANSCRIPT"].search(page.read_text())
]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_transcripts_of_a_page_are_what_is_played(page: Path) -> None:
    text = page.read_text()
    if "gui-site-v0" in text:
        needed()
    assert WRITER["filled"](text) == text, "python docs/world_pages.py writes it again"


def test_an_episode_that_is_not_solved_is_not_shown() -> None:
    with pytest.raises(RuntimeError, match="does not solve"):
        WRITER["transcript"]("sokoban-v0", 1, 1, "idle")


def test_every_world_has_a_page() -> None:
    pages = "".join(page.read_text() for page in PAGES)
    assert [
        id
        for id in builtin_ids()
        if spec(id).category == "worlds" and f"`{id}`" not in pages and f"# {id}" not in pages
    ] == []

"""The tables of docs/differs.md are those of the pages that measure."""

from __future__ import annotations

import runpy

from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "differs.md").read_text()
WRITER = runpy.run_path(str(ROOT / "docs" / "differs.py"))


def test_the_figures_are_up_to_date() -> None:
    assert WRITER["filled"](PAGE) == PAGE, "python docs/differs.py writes it again"


def test_a_changed_figure_is_seen() -> None:
    wrong = PAGE.replace("| 9 of 36 |", "| 8 of 36 |", 1).replace("`envhub` | 1", "`envhub` | 2")
    assert wrong != PAGE
    assert WRITER["filled"](wrong) == PAGE

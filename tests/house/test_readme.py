"""The README: its Python runs, its counts are the registry's, and its links lead somewhere."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections import Counter

import pytest

from envhub.registry.registry import builtin_ids, spec
from tests.support.places import ROOT

TEXT = (ROOT / "README.md").read_text()
CATALOGUE = (ROOT / "docs" / "catalogue.md").read_text()
PAGES = runpy.run_path(str(ROOT / "docs" / "catalogue.py"))
TITLES = {title: category for category, title in PAGES["CATEGORIES"].items()}


@pytest.mark.slow
def test_its_python_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("1.0 {'score': 1.0")


def test_its_counts_are_those_of_the_registry() -> None:
    counts = Counter(spec(id).category for id in builtin_ids())
    stated = {
        TITLES[title]: int(count) for title, count in re.findall(r"^\| ([A-Z][\w -]+) \| (\d+) \|", TEXT, re.MULTILINE)
    }
    assert stated == counts, "python docs/catalogue.py corrects them"
    assert f"# {len(builtin_ids())} environments" in TEXT
    assert PAGES["counted"](TEXT.replace("| Logic | ", "| Logic | 9").replace("# 1", "# 2")) == TEXT


def test_the_catalogue_is_up_to_date() -> None:
    assert PAGES["page"]() == CATALOGUE, "python docs/catalogue.py writes it again"
    assert Counter(re.findall(r"^\| `([^`]+)` \|", CATALOGUE, re.MULTILINE)) == Counter(builtin_ids())


def test_links_lead_somewhere() -> None:
    generated = {ROOT / "docs" / "gallery.md"}  # with the site
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
            found = (page.parent / target).resolve()
            assert found.exists() or found in generated, f"{page.name} links to {target}"

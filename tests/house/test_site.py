"""The documentation site is built without a warning, by mkdocs and by its successor zensical."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.peers import python_of
from tests.support.places import ROOT


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    run = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    site = tmp_path / "site"
    assert "sudoku-v0" in (site / "gallery" / "index.html").read_text()
    assert "of level 10" in (site / "gallery" / "sudoku-v0" / "index.html").read_text()
    assert "<svg" in (site / "gallery" / "pictures" / "sudoku-v0-10.svg").read_text()
    assert (site / "notebooks" / "first_episode.ipynb").exists()
    pages = [page.read_text() for page in site.rglob("*.html")]
    foreign = re.compile(r"<(script|link|img)[^>]+(src|href)=\"?https?:")
    assert not any(foreign.search(page) for page in pages)
    assert "Your own data" in (site / "llms.txt").read_text()


@pytest.mark.nightly
def test_zensical_builds_the_same_pages(tmp_path: Path) -> None:
    """zensical reads mkdocs.yml but runs no hooks, so the hooks are applied to its copy of the pages."""
    python = python_of("zensical")
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for package in ("envhub", "trainer"):  # the reference is made from their docstrings
        (folder / package).symlink_to(ROOT / package)
    hooked(folder / "docs")
    run = subprocess.run(
        [python, "-m", "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    site = folder / "build" / "site"
    for page in (
        "gallery",
        "gallery/sudoku-v0",
        "tutorials/first_episode",
        "reference/envhub",
        "explanations/promises",
    ):
        assert (site / page / "index.html").exists(), page


def hooked(docs: Path) -> None:
    """Do to a copy of the pages what the hooks do while mkdocs builds."""
    hooks: dict[str, dict[str, Any]] = {
        name: runpy.run_path(str(docs / "site" / f"{name}.py")) for name in ("gallery", "links", "notebooks")
    }
    for name, content in hooks["gallery"]["pages"]():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(content)
    for path in docs.rglob("*.md"):
        page = SimpleNamespace(file=SimpleNamespace(src_uri=path.relative_to(docs).as_posix()))
        text = path.read_text()
        for name in ("links", "notebooks"):
            text = hooks[name]["on_page_markdown"](text, page)
        path.write_text(text)

"""The tutorials and the start page run as they are written, block by block, in an empty folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NIGHTLY = {"train.md"}  # it trains a model
DRIVER = """
import json, subprocess, sys
names = {"__name__": "tutorial"}
for kind, text in json.load(open(sys.argv[1])):
    if kind == "python":
        exec(compile(text, text.partition("\\n")[0], "exec"), names)
    else:
        subprocess.run(text, shell=True, check=True, executable="/bin/bash")
"""
PAGES = [DOCS / "index.md", *sorted((DOCS / "tutorials").glob("*.md"))]


def blocks(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page, without those that install something."""
    found = [(kind, text) for kind, text in BLOCK.findall(page.read_text()) if not text.startswith("pip install")]
    assert found, f"{page.name} has no block that runs"
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=page.name, marks=[pytest.mark.nightly] if page.name in NIGHTLY else []) for page in PAGES],
)
def test_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    (tmp_path / "blocks.json").write_text(json.dumps(blocks(page)))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        [sys.executable, "-c", DRIVER, str(tmp_path / "blocks.json")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    run = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
    gallery = (tmp_path / "site" / "gallery" / "index.html").read_text()
    assert "sudoku-v0" in gallery
    pages = [page.read_text() for page in (tmp_path / "site").rglob("*.html")]
    assert not any(
        re.search(r"<(script|link|img)[^>]+(src|href)=\"?https?:", page) for page in pages
    )  # no foreign request
    assert "Your own data" in (tmp_path / "site" / "llms.txt").read_text()

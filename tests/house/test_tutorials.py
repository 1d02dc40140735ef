"""The tutorials, the explanations and the start page run as they are written, block by block, in an empty folder."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from envhub.evaluation.demo import serving
from tests.support.installing import Place
from tests.support.peers import HOME, python_of
from tests.support.places import ROOT

DOCS = ROOT / "docs"
WRITER: dict[str, Any] = runpy.run_path(str(DOCS / "notebooks.py"))
NIGHTLY = {"train.md", "trl.md", "verl.md"}  # they train a model, or need another project's package
DRIVER = """
import json, pathlib, subprocess, sys
names = {"__name__": "tutorial"}
for kind, text, path in json.load(open(sys.argv[1])):
    if kind == "python":
        exec(compile(text, text.partition("\\n")[0], "exec"), names)
    elif kind == "file":
        pathlib.Path(path).write_text(text)
    else:
        subprocess.run(text, shell=True, check=True, executable="/bin/bash")
"""
ADDRESS = "http://127.0.0.1:8420"
PAGES = [DOCS / "index.md", *sorted((DOCS / "explanations").glob("*.md")), *WRITER["PAGES"]]


def marks(page: Path) -> list[pytest.MarkDecorator]:
    return [pytest.mark.nightly] if page.name in NIGHTLY or WRITER["peer"](page) else []


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, id=page.name, marks=marks(page)) for page in PAGES])
def test_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    found = WRITER["blocks"](page)
    assert found, f"{page.name} has no block that runs"
    needs_server = any(block.text == WRITER["SERVE"] for block in found)
    place, folder = Place(tmp_path / "python"), tmp_path / "folder"
    folder.mkdir()
    with serving() if needs_server else nullcontext(ADDRESS) as url:
        steps = [
            (kind, text.replace(ADDRESS, url), path)
            for kind, text, path in found
            if not text.startswith("pip install") and text != WRITER["SERVE"]
        ]
        (tmp_path / "blocks.json").write_text(json.dumps(steps))
        code, out = finished([interpreter(page, place), "-c", DRIVER, str(tmp_path / "blocks.json")], folder, place)
    assert code == 0, out[-6000:]


def interpreter(page: Path, place: Place) -> str:
    """The Python that runs a page: a place of its own, or that of the package it is about."""
    peer = WRITER["peer"](page)
    if peer is None:
        return f"{place.root}/bin/python"
    if peer == "trl":  # made by hand, as docs/trainers.md says
        python = HOME / "trl" / "bin" / "python"
        if not python.exists():
            pytest.skip("TRL is not installed in .venvs/trl: see docs/trainers.md")
        return str(python)
    return python_of(peer)


def finished(command: list[str], folder: Path, place: Place) -> tuple[int, str]:
    """The exit code and the output of a process; what it started ends with it."""
    with (folder.parent / "output.txt").open("w+") as out:
        run = subprocess.Popen(
            command, cwd=folder, env=place.environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            code = run.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
        out.seek(0)
        return code, out.read()


@pytest.mark.parametrize("page", WRITER["PAGES"], ids=lambda page: page.stem)
def test_its_notebook_is_up_to_date(page: Path) -> None:
    assert WRITER["target"](page).read_text() == WRITER["notebook"](page), "python docs/notebooks.py writes it again"


def test_a_notebook_holds_every_block_and_all_text() -> None:
    for page in WRITER["PAGES"]:
        cells = json.loads(WRITER["notebook"](page))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        assert [block.text.rstrip("\n") in cell for block, cell in zip(WRITER["blocks"](page), code, strict=True)]
        assert "".join(cells[0]["source"]).startswith("# ")
        assert len({cell["id"] for cell in cells}) == len(cells)

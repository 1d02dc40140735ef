"""No file of Python is so long that it holds two concepts."""

from __future__ import annotations

from tests.support.places import ROOT

MOST_LINES = 400
FOLDERS = ("envhub", "envhub_verifiers", "trainer", "tests", "benchmarks", "docs")


def test_a_longer_file_is_split_by_concept() -> None:
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 1000
    lines = {str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines()) for file in files}
    assert not {name: count for name, count in lines.items() if count > MOST_LINES}

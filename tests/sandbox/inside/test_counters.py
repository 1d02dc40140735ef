"""What a control group counts is read as either version writes it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envhub.sandbox.inside.counters import anonymous, number, opened

SECOND = "anon 4096\nfile 9\nanon_thp 7\n"
FIRST = "cache 9\nrss 5\ninactive_anon 3\ntotal_cache 9\ntotal_rss 8192\n"


@pytest.mark.parametrize(("text", "wanted"), [(SECOND, 4096), (FIRST, 8192), ("", 0), ("anon many\n", 0), ("anon", 0)])
def test_memory_that_is_in_no_file(tmp_path: Path, text: str, wanted: int) -> None:
    (tmp_path / "memory.stat").write_text(text)
    file = opened(str(tmp_path / "memory.stat"))
    assert anonymous(file) == wanted
    (tmp_path / "memory.stat").write_text("anon 1\n")
    assert anonymous(file) == 1  # it is read anew each time
    os.close(file)


def test_what_is_not_to_be_seen_is_nothing(tmp_path: Path) -> None:
    assert opened(str(tmp_path / "nothing")) == -1
    assert anonymous(-1) == 0
    (tmp_path / "current").write_text("12\n")
    file = opened(str(tmp_path / "current"))
    assert number(file) == 12
    os.close(file)

"""Coverage is computed from names of tasks that exist, and its page is current."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.registry import coverage as module
from envhub.registry.coverage import coverage, sources, unknown_tasks
from envhub.registry.registry import builtin_ids
from tests.cli.commands import run
from tests.support.places import ROOT

SIZES = {"reasoning-gym": 105, "synlogic": 35, "enigmata": 37, "kor-gym": 51, "textarena": 104, "rlve": 399}


def test_every_covered_task_is_listed_by_its_source() -> None:
    assert unknown_tasks() == []


def test_every_task_is_in_one_group() -> None:
    for source in sources():
        found = coverage(source)
        groups = [*found.native, *found.kin, *found.adapter, *found.left_out, *found.missing]
        assert len(groups) == len(set(groups)) == found.total
        assert all(set(ids) <= set(builtin_ids()) for ids in found.native.values())
        assert all([*found.kin.values(), *found.adapter.values(), *found.left_out.values()])
    assert {source: coverage(source).total for source in SIZES} == SIZES


def test_what_ours_asks_counts_as_native_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"s": {"title": "S", "tasks": ["a", "b", "c", "d"], "kin": {"a": "x", "b": "y"}, "adapter": {"b": "z"}}}
    monkeypatch.setattr(module, "_catalogues", lambda: listed)
    monkeypatch.setattr(module, "_covered", lambda: {"s/a": ["sudoku-v0"], "s/e": ["sudoku-v0"]})
    found = coverage("s")
    assert (found.native, found.kin, found.adapter) == ({"a": ["sudoku-v0"]}, {"b": "y"}, {})
    assert (found.missing, found.total) == (["c", "d"], 4)
    assert unknown_tasks() == ["s/e"]


def test_a_native_task_may_differ_in_a_stated_way(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"s": {"title": "S", "tasks": ["a", "b"], "differs": {"a": "Ours is smaller.", "b": "Nobody asks it."}}}
    monkeypatch.setattr(module, "_catalogues", lambda: listed)
    monkeypatch.setattr(module, "_covered", lambda: {"s/a": ["sudoku-v0"]})
    found = coverage("s")
    assert found.differs == found.to_json()["differs"] == {"a": "Ours is smaller."}
    shown = " ".join(run("coverage", "s").stdout.split())
    assert "sudoku-v0. Ours is smaller." in shown


def test_an_unknown_source_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'synlogic'"):
        coverage("synlogik")


def test_the_page_is_current() -> None:
    page: Any = runpy.run_path(str(ROOT / "docs" / "coverage.py"))["page"]
    assert page() == (ROOT / "docs" / "coverage.md").read_text(), "python docs/coverage.py writes it again"


def test_the_command_prints_counts_and_tasks() -> None:
    assert re.search(r"synlogic +35", run("coverage").stdout)
    assert re.search(r"sudoku +native +sudoku-v0", run("coverage", "synlogic").stdout)
    assert run("coverage", "nothing").exit_code == 2

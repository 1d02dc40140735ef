"""The table of techniques in the docs names algorithms, settings, rewards and tests that exist."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from envhub_trainer.algorithms import ALGORITHMS
from envhub_trainer.algorithms.overrides import applicable
from envhub_trainer.config import Config
from envhub_trainer.rewards import CONFIDENCE, GROUPS, JUDGE, SAMPLES, TURNS
from tests.support.places import ROOT, TESTS

SETTINGS = {setting for row in ALGORITHMS.values() for setting in applicable(row)}
REWARDS = {*SAMPLES, *GROUPS, *TURNS, *CONFIDENCE, JUDGE, "weight", "gate", "each"}


def rows() -> list[tuple[str, str, str]]:
    """Technique, where it is, and its test."""
    text = (ROOT / "docs" / "trainer.md").read_text()
    table = text.split("### Techniques and where they are")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    return [(technique, where, test) for technique, where, test in cells[2:] if not technique.startswith("**")]


def known(name: str) -> bool:
    """Whether a name is an algorithm, a setting of one, a reward, or a setting of another section."""
    name = name.split(" = ")[0]
    if "." not in name:
        return name in ALGORITHMS or name in SETTINGS or name in REWARDS or name == "[[reward]]"
    section, field = name.split(".")
    kind: Any = Config.model_fields[section].annotation
    return field in (get_args(kind) or (kind,))[0].model_fields  # of a section, or of the entries of a list


def test_the_table_is_read_whole() -> None:
    found = rows()
    assert len(found) > 40
    assert sum(where.startswith("later") for _, where, _ in found) >= 6


@pytest.mark.parametrize(("technique", "where", "test"), rows(), ids=lambda text: text[:40])
def test_a_technique_is_where_the_table_says_or_later(technique: str, where: str, test: str) -> None:
    if where.startswith("later"):
        assert len(where.partition(": ")[2].split()) > 4, "the reason"
        assert not test
        return
    names = re.findall(r"`([^`]+)`", where)
    assert names
    assert all(map(known, names)), [name for name in names if not known(name)]
    paths = re.findall(r"`([^`]+)`", test)
    assert paths
    assert all((TESTS / "trainer" / path).exists() or (TESTS / path).exists() for path in paths), paths

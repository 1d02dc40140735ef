"""The corpus of undeclared answers keeps its shape: balance, classes of both halves, a held half that never changes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

Pair = dict[str, Any]

HERE = Path(__file__).parent / "undeclared"
HELD_SHA256 = "91a660abbadecda94042cb40d64981e752dd1a427de4aa09e924411a0e60ccce"
FIELDS = {"id", "kind", "options", "gold", "answer", "right", "class"}
FEWEST_WRONG = 1_500


def load(half: str) -> list[Pair]:
    """The pairs of one half, in the file's order."""
    return [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text("utf-8").splitlines()]


def identity(pair: Pair) -> str:
    """The content that makes two lines the same question."""
    return json.dumps([pair["options"], pair["gold"], pair["answer"]], sort_keys=True)


def of_held(gold: str) -> bool:
    """Whether a gold belongs to the held half."""
    return hashlib.sha256(gold.encode()).digest()[0] % 2 == 1


@pytest.fixture(scope="module")
def halves() -> dict[str, list[Pair]]:
    return {half: load(half) for half in ("held", "dev")}


@pytest.mark.parametrize("half", ["held", "dev"])
def test_a_half_is_well_formed(halves: dict[str, list[Pair]], half: str) -> None:
    pairs = halves[half]
    assert [pair["id"] for pair in pairs] == [f"{half}-{number:04d}" for number in range(1, len(pairs) + 1)]
    assert all(pair.keys() == FIELDS and pair["kind"] == "auto" for pair in pairs)
    assert all(pair["options"].keys() <= {"question", "choices"} for pair in pairs)
    assert len({identity(pair) for pair in pairs}) == len(pairs)


def test_the_held_half_is_the_one_written_before_the_reader() -> None:
    assert hashlib.sha256((HERE / "held.jsonl").read_bytes()).hexdigest() == HELD_SHA256


def test_the_hash_of_the_gold_decides_the_half(halves: dict[str, list[Pair]]) -> None:
    assert all(of_held(pair["gold"]) for pair in halves["held"])
    assert not any(of_held(pair["gold"]) for pair in halves["dev"])


def test_near_misses_outnumber_right_answers_in_the_same_classes(halves: dict[str, list[Pair]]) -> None:
    wrong = {half: [pair for pair in pairs if not pair["right"]] for half, pairs in halves.items()}
    assert sum(map(len, wrong.values())) >= FEWEST_WRONG
    assert all(2 * len(wrong[half]) > len(pairs) for half, pairs in halves.items())
    held, dev = ({pair["class"] for pair in pairs} for pairs in halves.values())
    assert held == dev

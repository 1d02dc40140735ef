"""Graders measured on labelled pairs: the corpus, and pairs generated under a seed that moves with the commits."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.core.errors import InvalidParameters
from envhub.evaluation.graders import Score, measure, ours, read_pairs
from envhub.verifiers.math.pairs import Pair, generate
from tests.support.places import CORPUS


@cache
def seed_of_this_run() -> int:
    """Another one with every commit; ``ENVHUB_PAIRS_SEED`` repeats one."""
    if "ENVHUB_PAIRS_SEED" in os.environ:
        return int(os.environ["ENVHUB_PAIRS_SEED"])
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=CORPUS, capture_output=True, text=True, check=False)
    return int(found.stdout[:8] or "0", 16)


SEED = seed_of_this_run()


def told(score: Score) -> str:
    return "\n".join(f"{pair.kind}: {pair.answer!r} is not {pair.gold!r}" for pair in score.taken_in)


@pytest.mark.parametrize("half", ["held", "dev"])
def test_no_wrong_answer_of_the_corpus_is_taken_and_hardly_a_right_one_is_missed(half: str) -> None:
    score = measure("ours", ours, read_pairs([CORPUS / f"{half}.jsonl"]))
    assert score.fooled == 0, told(score)
    assert score.recall >= 0.95, score.missed


def test_no_wrong_answer_among_generated_ones_is_taken() -> None:
    seed = SEED
    score = measure("ours", ours, generate(600, seed))
    assert score.fooled == 0, f"with ENVHUB_PAIRS_SEED={seed}:\n{told(score)}"
    assert score.recall >= 0.97, f"with ENVHUB_PAIRS_SEED={seed}: {score.recall}"


def test_generated_pairs_are_the_same_for_the_same_seed_and_half_of_them_right() -> None:
    pairs = generate(100, 3)
    assert pairs == generate(100, 3)
    assert pairs[:50] == generate(50, 3)
    assert sum(pair.right for pair in pairs) == 50
    assert pairs != generate(100, 4)
    assert all(pair.gold != pair.answer for pair in pairs if not pair.right)


def test_a_grader_that_takes_everything_or_nothing_is_measured_as_that() -> None:
    pairs = generate(40, 1)
    everything, nothing = (measure("g", lambda pair, said=said: said, pairs) for said in (True, False))  # type: ignore[misc]
    assert (everything.recall, everything.false_positives, len(everything.taken_in)) == (1.0, 1.0, 20)
    assert (nothing.recall, nothing.false_positives) == (0.0, 0.0)
    assert nothing.missed == {"rewritten": 20}
    failing = measure("g", lambda pair: None, pairs)
    assert (failing.failed, failing.taken, failing.fooled) == (40, 0, 0)


def test_a_file_that_holds_no_pairs_is_told(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"kind": "integer", "options": {}, "gold": "1", "answer": "1", "right": true, "class": "a"}\n{"x": 1}\n'
    )
    with pytest.raises(InvalidParameters, match=r"line 2, is no pair"):
        read_pairs([path])
    path.write_text("")
    with pytest.raises(InvalidParameters, match="no pairs"):
        read_pairs([path])
    with pytest.raises(InvalidParameters, match="cannot be read"):
        read_pairs([tmp_path / "nowhere.jsonl"])


@pytest.fixture
def mixed(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "pairs.jsonl"
    lines = [("42", "42.0", True), ("42", "43", False), ("1/2", "0.5", True), ("1-1/e", "1+1/e", False)]
    kinds = ["integer", "integer", "rational", "expression"]
    path.write_text(
        "".join(
            json.dumps({"kind": k, "options": {}, "gold": g, "answer": a, "right": r, "class": "c"}) + "\n"
            for k, (g, a, r) in zip(kinds, lines, strict=True)
        )
    )
    return path


@pytest.mark.slow
def test_the_command_prints_scores_and_fails_when_a_wrong_answer_is_taken(mixed: Path) -> None:
    found = CliRunner().invoke(app, ["bench", "verifiers", "--corpus", str(mixed), "--json"])
    assert found.exit_code == 0
    score = json.loads(found.stdout)[0]
    assert (score["name"], score["pairs"], score["recall"], score["false_positives"]) == ("envhub", 4, 1.0, 0.0)
    assert score["recall_bounds"][0] < 1.0
    mixed.write_text(mixed.read_text().replace('"answer": "43"', '"answer": "42"'))
    found = CliRunner().invoke(app, ["bench", "verifiers", "--corpus", str(mixed)])
    assert found.exit_code == 1
    assert "wrong and taken for right (integer): '42' for '42'" in found.stdout


def test_a_pair_says_what_it_is() -> None:
    pair = Pair("integer", {}, "1", "2", False, "off by one")
    assert pair.group == "off by one"
    assert ours(pair) is False

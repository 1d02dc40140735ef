"""Public golds in a folder, the report on a data set's golds, and final answers of texts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.core.errors import InvalidParameters
from envhub.evaluation.gold_report import gold_report
from envhub.evaluation.gold_sets import VARIABLE, folder, golds_in, in_folder, rewritten, tests_in as pairs_in
from envhub.evaluation.graders import measure, ours, ours_on_texts
from envhub.evaluation.math_texts import final_of_text, gold_of_text
from envhub.verifiers.math import Gold, NotMath

MODULE = """
import pytest
raise SystemExit("a test module is read, never run")

@pytest.mark.parametrize("gold, pred, expected", [("$7$", "So it is $7$.", 1), (r"$\\frac12$", "2", 0), (f"{1}", "1", 1)])
def test_pairs(gold, pred, expected): ...

@pytest.mark.parametrize("text", ["unrelated"])
def test_others(text): ...
"""


@pytest.fixture
def golds(tmp_path: Path) -> Path:
    (tmp_path / "math_verify").mkdir()
    (tmp_path / "math_verify" / "test_some.py").write_text(MODULE)
    (tmp_path / "golds.jsonl").write_text('{"source": "own", "gold": "$\\\\frac{3}{7}$"}\n')
    return tmp_path


def test_the_sets_of_a_folder_are_labelled_pairs(golds: Path) -> None:
    sets = in_folder(golds)
    assert [(pair.gold, pair.answer, pair.right) for pair in sets["math-verify's tests"]] == [
        ("$7$", "So it is $7$.", True),
        (r"$\frac12$", "2", False),
    ]
    assert len(sets["rewritten golds"]) >= 6
    assert measure("ours", ours_on_texts, sets["math-verify's tests"]).recall == 1.0
    assert measure("ours", ours, sets["rewritten golds"]).recall == 1.0


def test_a_folder_without_sets_and_a_bad_line_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=VARIABLE):
        in_folder(tmp_path)
    (tmp_path / "golds.jsonl").write_text("{}\n")
    with pytest.raises(InvalidParameters, match="line 1"):
        golds_in(tmp_path / "golds.jsonl")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Hence \\boxed{3}.", "3"),
        ("\\boxed{1} and \\boxed{2}", "1, 2"),
        ("\\boxed{1} was wrong. It is \\boxed{2}.", "2"),
        ("<think>\\boxed{5}</think> so $x = 6$", "x = 6"),
        ("First $a = 2$, then $b = 4$.", "b = 4"),
        ("$28$ percent", "28 percent"),
        ("Final Answer: The largest $n$ is 34. I hope it is correct.", "34"),
        ("Therefore, there are 12 distinct sequences in all.", "12"),
        ("7", "7"),
    ],
)
def test_the_final_answer_of_a_text(text: str, answer: str) -> None:
    assert final_of_text(text) == answer


def test_a_gold_without_a_box_is_its_whole_text() -> None:
    assert gold_of_text("$2$ and $3$") == "$2$ and $3$"
    assert gold_of_text("so \\boxed{2}") == "2"


def test_the_report_counts_types_and_lists_what_needs_a_decision() -> None:
    report = gold_report(["42", "4, 9", "\\sum_{k=1}^n k", " "])
    assert report.types == {"number": 1, "unordered list": 1, "notation": 1, "unreadable": 1}
    assert [(finding.row, finding.note.partition(":")[0]) for finding in report.findings] == [
        (2, "ambiguous"),
        (3, "unreadable"),
        (4, "unreadable"),
    ]
    assert report.suggestion == "auto"
    assert gold_report(["1", "2"]).suggestion == "integer"
    assert gold_report(["so it is #### 72"], "####").suggestion == "integer"


def test_envhub_gold_reports_on_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"gold": "(0, 1)"}\n{"gold": "x > 2"}\n')
    run = CliRunner().invoke(app, ["gold", str(file), "--column", "gold", "--json"])
    report = json.loads(run.stdout)
    assert report["types"] == {"tuple": 1, "interval": 1}
    assert report["findings"][0]["kind"] == "tuple"
    shown = CliRunner().invoke(app, ["gold", str(file), "--column", "gold"])
    assert "ambiguous: tuple or interval; declare tuple" in shown.stdout
    assert isinstance(CliRunner().invoke(app, ["gold", str(file)]).exception, (InvalidParameters, SystemExit))


needs_folder = pytest.mark.skipif(VARIABLE not in os.environ, reason=f"{VARIABLE} names no folder of public golds")


@pytest.mark.nightly
@needs_folder
def test_every_readable_public_gold_equals_itself_in_other_notations() -> None:
    path = folder()
    assert path is not None
    for source, gold in golds_in(path / "golds.jsonl"):
        try:
            readable = Gold.of(gold).readable
        except NotMath:
            continue
        if readable and Gold.of(gold).types[0] != "words":
            score = measure("ours", ours, list(rewritten(source, gold)))
            assert score.taken == score.right, (gold, score.missed)


@pytest.mark.nightly
@needs_folder
def test_math_verify_and_we_agree_on_nine_of_ten_of_its_tests() -> None:
    path = folder()
    assert path is not None
    pairs = [pair for file in sorted(path.glob("math_verify/test_*.py")) for pair in pairs_in(file)]
    score = measure("ours", ours_on_texts, pairs)
    assert score.taken + score.wrong - score.fooled >= 0.9 * len(pairs)

"""Judging responses to a dataset: right is 1, wrong is 0, and what could not be judged is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.core.types import CHECKER_FAILED, Verdict
from envhub.dataset import DatasetConfig, generate, truth
from envhub.dataset.grading import Judged, Report
from tests.dataset.workshop import Few, Sampled, Unjudged, config, facts, judged, known, read, right, write_lines

IDS = ("arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0")
N = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tasks of four environments in two kinds of file, with the oracle's answers."""
    folder = tmp_path_factory.mktemp("tasks")
    of = config(*IDS, rows=N, levels=(2, 3))
    generate(of, folder / "tasks.jsonl", processes=1)
    generate(of, folder / "table.parquet", processes=1)
    generate(DatasetConfig.from_json({**of.to_json(), "with_solutions": True}), folder / "solved.jsonl", processes=1)
    write_lines(folder / "right.jsonl", ({"response": row["solution"]} for row in facts(folder / "solved.jsonl")))
    return folder


def answers(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# -- right and wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "processes"),
    [("tasks.jsonl", 1), ("table.parquet", 1), pytest.param("tasks.jsonl", 2, marks=pytest.mark.slow)],
)
def test_the_oracles_answers_score_one(tasks: str, processes: int, folder: Path) -> None:
    report, verdicts = judged(folder / tasks, folder / "right.jsonl", processes=processes)
    assert report.total.to_json() == {
        "responses": N, "mean_score": 1.0, "solved": N, "no_answer": 0, "errors": 0
    }  # fmt: skip
    assert {cell: tally.responses for cell, tally in report.cells.items()} == {
        (id, level): 3 for id in IDS for level in (2, 3)
    }
    assert [one.row for one in verdicts] == list(range(N))
    assert all(one.verdict.solved and one.sample == 0 for one in verdicts)
    assert [one.env_id for one in verdicts] == [row["env_id"] for row in facts(folder / "tasks.jsonl")]


def test_shuffled_answers_score_nothing_where_they_cannot_coincide(folder: Path, tmp_path: Path) -> None:
    given = answers(folder / "right.jsonl")
    shuffled = write_lines(tmp_path / "r.jsonl", given[1:] + given[:1])  # a neighbour is of another environment
    report, _ = judged(folder / "tasks.jsonl", shuffled)
    assert report.total.mean == 0.0
    assert report.total.errors == report.total.solved == 0


def test_another_problems_answer_is_wrong(tmp_path: Path) -> None:
    generate(config("sudoku-v0", rows=4, levels=(3, 3)), tmp_path / "t.jsonl", processes=1)
    given = right(tmp_path / "t.jsonl")
    shifted = write_lines(tmp_path / "r.jsonl", given[1:] + given[:1])
    assert judged(tmp_path / "t.jsonl", shifted)[0].total.mean == 0.0


def test_a_mean_is_of_what_could_be_judged(small: Path, tmp_path: Path) -> None:
    given = right(small)
    path = write_lines(tmp_path / "r.jsonl", [{"response": given[0]}, {"response": None}, {"response": "<answer>x"}])
    report, verdicts = judged(small, path)
    assert report.total.to_json() == {
        "responses": 3, "mean_score": 0.5, "solved": 1, "no_answer": 1, "errors": 1
    }  # fmt: skip
    assert report.reasons == {"no_response": 1}
    assert [one.verdict.status for one in verdicts] == ["graded", "error", "no_answer"]
    assert verdicts[1].verdict.score is None
    assert json.loads(json.dumps(report.to_json(), allow_nan=False)) == report.to_json()


def test_a_mean_of_nothing_is_none(small: Path, tmp_path: Path) -> None:
    report, _ = judged(small, write_lines(tmp_path / "r.jsonl", [None] * 3))
    assert (report.total.mean, report.total.errors) == (None, 3)


def test_several_samples_of_a_row(small: Path, tmp_path: Path) -> None:
    given = right(small)
    lines = [
        {"responses": [given[0], "5000000", None, [given[0]]], "index": 0, "model": "x"},
        {"responses": []},
        given[2],
    ]
    report, verdicts = judged(small, write_lines(tmp_path / "r.jsonl", lines))
    scores = [(one.row, one.sample, one.verdict.score) for one in verdicts]
    assert scores == [(0, 0, 1.0), (0, 1, 0.0), (0, 2, None), (0, 3, 1.0), (1, 0, None), (2, 0, 1.0)]
    assert report.total.errors == 2  # a row of no sample is not lost


def test_an_episode_is_judged_by_its_actions(folder: Path, tmp_path: Path) -> None:
    games = [n for n, row in enumerate(facts(folder / "tasks.jsonl")) if row["multi_turn"]]
    given = answers(folder / "right.jsonl")
    tasks = tmp_path / "t.jsonl"
    lines = (folder / "tasks.jsonl").read_text().splitlines(keepends=True)
    tasks.write_text("".join(lines[n] for n in games[:3]))
    actions = [given[n]["response"] for n in games[:3]]
    assert all(len(one) > 1 for one in actions)
    cut = [actions[0][:-1], ["nonsense", *actions[1], "too late"], ["nonsense"] * 1000]
    _, verdicts = judged(tasks, write_lines(tmp_path / "r.jsonl", cut))
    assert [one.verdict.reason for one in verdicts] == ["unfinished", None, None]
    assert [one.verdict.score for one in verdicts] == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("\ud800{}", 1.0),
        ("\u2028\x85\x00 ünï \r\n{}", 1.0),
        ("x" * 10_000_000, 0.0),
        ("<answer>" * 100_000, 0.0),
        ("", 0.0),
        ("{}<answer>\ud800</answer>", 0.0),
    ],
)
def test_any_text_is_judged(text: str, score: float, small: Path, tmp_path: Path) -> None:
    given = [text.replace("{}", answer) for answer in right(small)]
    _, verdicts = judged(small, write_lines(tmp_path / "r.jsonl", ({"response": one} for one in given)))
    assert [one.verdict.score for one in verdicts] == [score] * 3
    for one in verdicts:
        json.dumps(one.to_json(), allow_nan=False).encode("ascii")
        assert "\ud800" not in (one.verdict.answer or "")


def test_a_form_may_be_asked_for_in_place_of_the_rows_own(tmp_path: Path) -> None:
    generate(config(rows=2, answer_format="boxed"), tmp_path / "t.jsonl", processes=1)
    given = [answer.removeprefix("<answer>").removesuffix("</answer>") for answer in right(tmp_path / "t.jsonl")]
    path = write_lines(tmp_path / "r.jsonl", [f"\\boxed{{{given[0]}}}", f"<answer>{given[1]}</answer>"])
    for settings, formats in (({}, [1.0, 0.0]), ({"answer_format": "tag"}, [0.0, 1.0])):
        _, verdicts = judged(tmp_path / "t.jsonl", path, **settings)
        assert [one.verdict.components["format"] for one in verdicts] == formats
        assert all(one.verdict.solved for one in verdicts)
    with pytest.raises(InvalidParameters, match="Did you mean 'boxed'"):
        judged(tmp_path / "t.jsonl", path, answer_format="boxd")


# -- what cannot be judged ---------------------------------------------------------------------------------------------


def altered(row: Any, **fields: Any) -> Any:
    key = {**json.loads(row["reward_model"]["ground_truth"]), **fields}
    return {**row, "reward_model": {"style": "rule", "ground_truth": json.dumps(key)}}


@pytest.mark.parametrize(
    "fields",
    [
        {"env_id": "nothing-v0"},
        {"env_id": "countdown-v0"},
        {"split": "test"},
        {"draw": 999},
        {"seed": 12345},
        {"seed": 12345, "draw": None},
        {"draw": -1},
        {"seed": -5},
        {"params": {}},
        {"params": {"terms": 2}},
        {"params": {"terms": 10**400, "digits": 1, "operators": "+", "nesting": 0}},
        {"params": {"terms": "\u2028", "digits": 1, "operators": "+", "nesting": 0}},
    ],
)
def test_a_row_that_was_altered_is_an_error_and_no_other_row_is(
    fields: dict[str, Any], small: Path, tmp_path: Path
) -> None:
    given, table = right(small), read(small)
    tasks = write_lines(tmp_path / "altered.jsonl", [table[0], altered(table[1], **fields), table[2]])
    report, verdicts = judged(tasks, write_lines(tmp_path / "r.jsonl", given))
    assert [one.verdict.score for one in verdicts][::2] == [1.0, 1.0]
    assert verdicts[1].verdict.score is None
    assert report.total.errors == 1


def test_a_ground_truth_that_is_no_key_is_an_error_of_its_row(small: Path, tmp_path: Path) -> None:
    given, table = right(small), read(small)
    table[1]["reward_model"]["ground_truth"] = "42"
    report, verdicts = judged(write_lines(tmp_path / "t.jsonl", table), write_lines(tmp_path / "r.jsonl", given))
    assert [one.verdict.score for one in verdicts] == [1.0, None, 1.0]
    assert report.reasons == {"unjudgeable": 1}


@pytest.mark.parametrize(("cls", "code"), [(Unjudged, "judge_lost"), (Sampled, "environment_failed")])
def test_an_environment_that_fails_is_an_error_of_its_rows(
    cls: type[Few], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with known("toy-v0", cls):
        generate(config("toy-v0", "arithmetic-v0", rows=4), tmp_path / "t.jsonl", processes=1)
        given = right(tmp_path / "t.jsonl")
        truth.judge.cache_clear()
        monkeypatch.setattr(Sampled, "fails", True)
        report, verdicts = judged(tmp_path / "t.jsonl", write_lines(tmp_path / "r.jsonl", given))
        truth.judge.cache_clear()
    assert [one.verdict.score for one in verdicts] == [None, 1.0, None, 1.0]
    assert report.reasons == {code: 2}
    assert report.cells[("toy-v0", 3)].mean is None


@pytest.mark.slow
def test_a_toy_is_judged_by_other_processes(tmp_path: Path) -> None:
    with known("few-v0", Few):
        generate(config("few-v0", rows=10), tmp_path / "t.jsonl", processes=1)
        path = write_lines(tmp_path / "r.jsonl", right(tmp_path / "t.jsonl"))
        report, _ = judged(tmp_path / "t.jsonl", path, processes=2)
    assert report.total.solved == 10


@pytest.mark.parametrize(("failed", "broken"), [(0, False), (1, False), (2, True)])
def test_answers_that_made_a_checker_fail_are_counted_and_above_one_per_cent_it_is_broken(
    failed: int, broken: bool
) -> None:
    report = Report()
    for number in range(100):
        verdict = Verdict.no_answer(CHECKER_FAILED, "") if number < failed else Verdict.exact(True)
        report.add(Judged(number, 0, "code-tests-v0", number % 3, verdict))
        report.add(Judged(number, 0, "sql-v0", None, Verdict.no_answer("unreadable", "")))
    said = report.to_json()
    assert said["checker_failures"] == ({"code-tests-v0": failed} if failed else {})
    assert said["broken_checkers"] == (["code-tests-v0"] if broken else [])
    assert report.total.mean == (100 - failed) / 200

"""ml-experiment-v0: metrics, submissions, data whose best prediction is known, and traps that cost."""

from __future__ import annotations

import json
from itertools import product
from math import inf, sqrt
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.code.ml_experiment import metrics
from envhub.envs.code.ml_experiment.data import NO, YES, Row
from envhub.envs.code.ml_experiment.draft import TASKS, draft, part_of
from envhub.envs.code.ml_experiment.environment import MlExperiment
from envhub.envs.code.ml_experiment.parameters import Params, TaskName
from envhub.envs.code.ml_experiment.scoring import (
    SOLVED,
    baseline,
    best_predictions,
    has_room,
    measure,
    normalized,
)
from envhub.envs.code.ml_experiment.submission import read_submission
from envhub.envs.code.ml_experiment.traps import LATE
from envhub.sandbox import Job, Limits, Program, default_sandbox
from tests.support.kernels import needed

WITH_SKLEARN = """
import json, sys
import numpy as np
from sklearn import metrics
found = []
for truth, labels, scores, groups in json.load(sys.stdin):
    yes = np.array(truth)
    aps = [
        metrics.average_precision_score(yes[at], np.array(scores)[at])
        for at in (np.array(groups) == group for group in sorted(set(groups)))
        if yes[at].any()
    ]
    found.append([
        metrics.accuracy_score(truth, labels),
        metrics.f1_score(truth, labels, zero_division=0),
        metrics.roc_auc_score(truth, scores) if 0 < yes.sum() < len(yes) else 0.5,
        float(np.sqrt(metrics.mean_squared_error(truth, scores))),
        float(np.mean(aps)) if aps else 0.0,
    ])
print(json.dumps(found))
"""


def drawn(task: str, level: int, seed: int = 0) -> Instance:
    """A task of a kind."""
    for attempt in range(20):
        made = draft(Stream(b"test", task, level, seed, attempt), task, Params.at(level))
        if made is not None:
            return made
    raise AssertionError(f"no {task} at level {level}")


def scored(inst: Instance, predictions: list[str], part: int) -> float:
    """The normalized score on the feedback rows or the hidden rows."""
    metric, key = inst.problem["metric"], inst.key
    truth, groups, best, own = part_of(key, part, key["truth"], key["groups"], key["best"], predictions)
    ceiling = measure(metric, truth, best, groups)
    return normalized(measure(metric, truth, own, groups), baseline(metric, truth, groups), ceiling)


def table(inst: Instance, name: str) -> list[dict[str, str]]:
    """The rows of a file."""
    header, *rows = (line.split(",") for line in inst.problem[name].splitlines())
    return [dict(zip(header, row, strict=True)) for row in rows]


# -- metrics -------------------------------------------------------------------------------------------------------------


def test_metrics_of_small_cases() -> None:
    yes = [True, False, True, False]
    assert metrics.accuracy(["a", "b", "a"], ["a", "a", "a"]) == 2 / 3
    assert metrics.f1(yes, [True, True, False, False]) == 0.5
    assert metrics.f1(yes, [False] * 4) == 0.0
    assert metrics.auc(yes, [0.9, 0.1, 0.4, 0.4]) == 0.875
    assert metrics.auc(yes, [1.0] * 4) == metrics.auc([True] * 4, [1.0, 2.0, 3.0, 4.0]) == 0.5
    assert metrics.rmse([1.0, 3.0], [2.0, 1.0]) == sqrt(2.5)
    assert metrics.average_precision(yes, [0.9, 0.8, 0.7, 0.1]) == (1 + 2 / 3) / 2
    assert metrics.average_precision(yes, [1.0] * 4) == 0.5
    assert metrics.mean_average_precision([1, 1, 2, 2], [True, False, False, False], [0.0, 1.0, 1.0, 0.0]) == 0.5


@pytest.mark.parametrize(("positive", "rows"), [(1, 1), (1, 3), (2, 4), (3, 4), (5, 5)])
def test_the_expected_precision_of_a_random_order_is_that_of_all_orders(positive: int, rows: int) -> None:
    orders = [order for order in product([True, False], repeat=rows) if sum(order) == positive]
    each = [metrics.average_precision(order, [float(-at) for at in range(rows)]) for order in orders]
    assert metrics.random_average_precision(positive, rows) == pytest.approx(sum(each) / len(each))


@pytest.mark.slow
def test_metrics_are_those_of_scikit_learn() -> None:
    needed("ml-experiment-v0")
    cases: list[Any] = []
    for seed in range(60):
        rng, rows = Stream(b"metrics", seed), 3 + 5 * (seed % 9)
        truth = [rng.below(3) == 0 for _ in range(rows)]
        labels = [rng.below(2) == 0 for _ in range(rows)]
        scores = [rng.below(4 if seed % 2 else 1000) / 7 for _ in range(rows)]  # with many ties, and with hardly any
        cases.append([truth, labels, scores, [rng.below(3) for _ in range(rows)]])
    limits = Limits(wall_s=300, cpu_s=20, memory_mb=512, reserve_mb=4096, pids=64)
    job = Job(Program(WITH_SKLEARN, toolchain="science"), stdins=(json.dumps(cases).encode(),), limits=limits)
    (result,) = default_sandbox().run(job)
    assert result.ok, result.stderr
    for (truth, labels, scores, groups), theirs in zip(cases, json.loads(result.text), strict=True):
        numbers = [float(each) for each in truth]
        ours = [
            metrics.accuracy([str(each) for each in truth], [str(each) for each in labels]),
            metrics.f1(truth, labels),
            metrics.auc(truth, scores),
            metrics.rmse(numbers, scores),
            metrics.mean_average_precision(groups, truth, scores),
        ]
        assert ours == pytest.approx(theirs, abs=1e-12)


# -- submissions ---------------------------------------------------------------------------------------------------------

GOOD = "id,prediction\n1,yes\n2,no\n3,no\n"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "id,prediction\r\n3,no\r\n1,yes\r\n2,no",
        '"id","prediction"\n1,"yes"\n2,no\n\n3, no \n',
        "\ufeff" + GOOD,
    ],
)
def test_a_right_file_is_read_however_it_is_written(text: str) -> None:
    assert read_submission(text.encode(), 3, [NO, YES]) == ["yes", "no", "no"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "first line"),
        (b"id;prediction\n1;yes", "first line"),
        (b"1,yes\n2,no\n3,no\n", "first line"),
        (b"\x80\x04\x95pickle", "UTF-8"),
        (b"id,prediction\n1,yes\n2,no\n", "the id 3 is missing"),
        (b"id,prediction\n1,yes\n2,no\n2,yes\n", "repeats the id 2"),
        (b"id,prediction\n1,yes\n2,no\n3,no\n4,no\n", "an id from 1 to 3"),
        (b"id,prediction\n0,yes\n2,no\n3,no\n", "an id from 1 to 3"),
        (b"id,prediction\n1.0,yes\n", "an id from 1 to 3"),
        ("id,prediction\n\u0661,yes\n".encode(), "an id from 1 to 3"),
        (b"id,prediction\n1\n", "an id from 1 to 3"),
        (b"id,prediction\n1,maybe\n", "one of no and yes"),
        (b"id,prediction\n1,yes,no\n", "one of no and yes"),
    ],
)
def test_an_error_in_a_file_is_named(content: bytes, says: str) -> None:
    found = read_submission(content, 3, [NO, YES])
    assert isinstance(found, str)
    assert says in found


@pytest.mark.parametrize("number", ["1", "-2.5", "+.5", "3.", "1e-5", "4E+02", "0" * 18])
def test_numbers_are_read(number: str) -> None:
    assert read_submission(f"id,prediction\n1,{number}\n".encode(), 1, []) == [number]


@pytest.mark.parametrize(
    "number",
    [
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "1e13",
        "1e99",
        "1_0",
        "0x10",
        "",
        "1 2",
        "\u0663",
        "True",
        "1j",
        "9" * 400,
        "1e1000",
    ],
)
def test_what_is_no_plain_number_is_refused(number: str) -> None:
    found = read_submission(f"id,prediction\n1,{number}\n".encode(), 1, [])
    assert isinstance(found, str)
    assert "a number from -1e12 to 1e12" in found


# -- data ----------------------------------------------------------------------------------------------------------------


def test_every_kind_can_be_asked_for() -> None:
    assert {"any", *TASKS} == set(TaskName.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", sorted(TASKS))
def test_the_oracle_reaches_the_ceiling_and_constants_reach_nothing(task: str) -> None:
    for level in (1, 6, 10):
        inst = drawn(task, level)
        rows = inst.problem["rows"][1]
        file = "id,prediction\n" + "".join(f"{at},{each}\n" for at, each in enumerate(inst.key["best"], 1))
        assert read_submission(file.encode(), rows, inst.problem["labels"]) == inst.key["best"]
        for part in (0, 1):
            assert scored(inst, inst.key["best"], part) == 1.0
            for constant in inst.problem["labels"] or ["0", "0.5", "500", "1e12"]:
                assert scored(inst, [constant] * rows, part) == 0.0
        order = inst.key["best"][1:] + inst.key["best"][:1]
        assert scored(inst, order, 1) < SOLVED


@pytest.mark.parametrize("task", sorted(TASKS))
def test_beliefs_are_right_on_average(task: str) -> None:
    """No other prediction of the same columns is better: neither one with noise nor one that is moved."""
    inst, rng = drawn(task, 5, 1), Stream(b"noise", task)
    metric, key = inst.problem["metric"], inst.key
    exact = measure(metric, key["truth"], key["best"], key["groups"])
    for share in (5, 20):
        if inst.problem["labels"]:
            other = [rng.choice(inst.problem["labels"]) if rng.below(100) < share else each for each in key["best"]]
        else:
            spread = max(map(float, key["best"])) - min(map(float, key["best"]))
            other = [str(float(each) + spread * (rng.below(2 * share) - share) / 50) for each in key["best"]]
        value = measure(metric, key["truth"], other, key["groups"])
        assert value > exact if metric == "rmse" else value < exact


def test_targets_of_the_test_rows_and_the_hidden_rows_are_in_the_key_only() -> None:
    for task in TASKS:
        inst = drawn(task, 9)
        names = [name for name, _ in inst.problem["columns"]]
        assert list(table(inst, "test")[0]) == ["id", *names]
        assert list(table(inst, "train")[0]) == [*names, inst.problem["target"][0]]
        assert [row["id"] for row in table(inst, "test")] == [str(at + 1) for at in range(inst.problem["rows"][1])]
        assert not {"truth", "best", "hidden", "groups"} & set(inst.problem)


def test_the_order_of_the_rows_says_nothing() -> None:
    """Hidden rows and targets are spread evenly over the file."""
    for task in sorted(TASKS):
        key = drawn(task, 5).key
        for column in (key["hidden"], [each == key["truth"][0] for each in key["truth"]]):
            half = len(column) // 2
            share = sum(column) / len(column)
            assert abs(sum(column[:half]) / half - share) < 5 * sqrt(share * (1 - share) / half) + 1e-9


@pytest.mark.parametrize("level", [7, 9])
def test_repeated_rows_are_in_the_feedback_and_never_hidden(level: int) -> None:
    inst = drawn("table-rmse", level)
    known = {tuple(row.values())[:-1] for row in table(inst, "train")}
    assert len(known) < 0.75 * inst.problem["rows"][0]
    seen = [tuple(row.values())[1:] in known for row in table(inst, "test")]
    (feedback,), (hidden,) = (part_of(inst.key, part, seen) for part in (0, 1))
    assert sum(feedback) > 0.4 * len(feedback)
    assert not any(hidden)


@pytest.mark.parametrize("task", ["table-accuracy", "table-rmse", "text-accuracy"])
def test_the_late_column_pays_on_the_feedback_and_costs_on_the_hidden_rows(task: str) -> None:
    inst = drawn(task, 8)
    figures = [int(row[LATE.name]) for row in table(inst, "test")]
    labels = sorted({row[inst.problem["target"][0]] for row in table(inst, "train")})
    if inst.problem["labels"]:
        labels = inst.problem["labels"]
        guesses = [labels[min(figure // (100 // len(labels)), len(labels) - 1)] for figure in figures]
    else:
        guesses = [str(figure) for figure in figures]
    assert scored(inst, guesses, 0) > 0.9
    assert scored(inst, guesses, 1) == 0.0


def test_the_best_labels_for_f1_are_not_those_of_the_accuracy() -> None:
    rows = [Row((), YES, belief) for belief in (0.9, 0.45, 0.4, 0.1, 0.05)]
    assert best_predictions("accuracy", rows) == [YES, NO, NO, NO, NO]
    assert best_predictions("f1", rows) == [YES, YES, YES, NO, NO]


def test_a_task_with_nothing_to_learn_is_not_drawn() -> None:
    assert not has_room("accuracy", 0.8, 0.9)
    assert has_room("accuracy", 0.5, 0.9)
    assert not has_room("rmse", 100.0, 90.0)
    assert has_room("rmse", 100.0, 50.0)
    assert normalized(0.2, 0.5, 0.9) == 0.0
    assert normalized(1.0, 0.5, 0.9) == 1.0
    assert normalized(inf, 100.0, 50.0) == 0.0


def test_the_prompt_states_the_traps_and_the_budget() -> None:
    inst: Any = drawn("table-f1", 9)
    prompt = MlExperiment().opening(inst.problem)
    for said in (
        "train.csv",
        "python 8 times",
        "3 submissions",
        "10 seconds",
        "submission.csv",
        "id,prediction",
        "F1",
        LATE.name,
    ):
        assert said in prompt
    assert "entered several times" in prompt
    assert "before the outcome" in prompt

"""Judging responses to a dataset: right is 1, wrong is 0, what could not be judged is neither, and files may be long."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.core.types import CHECKER_FAILED, Verdict
from envhub.dataset import Plan, files, generate, grading, judge_file, truth
from envhub.dataset.formats import read_row
from envhub.dataset.grading import Judged, Report
from tests.dataset.workshop import Few, Sampled, Unjudged, facts, known, plan, read, write_lines

IDS = ("arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0")
N = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tasks of four environments in two kinds of file, with the oracle's answers."""
    folder = tmp_path_factory.mktemp("tasks")
    of = plan(*IDS, rows=N, levels=(2, 3))
    generate(of, folder / "tasks.jsonl", processes=1)
    generate(of, folder / "table.parquet", processes=1)
    generate(Plan.from_json({**of.to_json(), "with_solutions": True}), folder / "solved.jsonl", processes=1)
    write_lines(folder / "right.jsonl", ({"response": row["solution"]} for row in facts(folder / "solved.jsonl")))
    return folder


def judged(tasks: Path, responses: Path, **settings: Any) -> tuple[grading.Report, list[Judged]]:
    verdicts: list[Judged] = []
    report = judge_file(tasks, responses, **{"processes": 1, **settings}, on_verdict=verdicts.append)
    return report, verdicts


def answers(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Three rows of arithmetic."""
    generate(plan(rows=3), tmp_path / "tasks.jsonl", processes=1)
    return tmp_path / "tasks.jsonl"


def right(tasks: Path) -> list[str]:
    """A right answer to every row of one turn."""
    from envhub.episodes.episode import Episode

    found = []
    for row in read(tasks):
        known_row = read_row(row)
        assert known_row is not None
        judge = truth.judge(known_row.truth)
        found.append(Episode(judge._environment, *judge._drawn).oracle())
    return found


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
    generate(plan("sudoku-v0", rows=4, levels=(3, 3)), tmp_path / "t.jsonl", processes=1)
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
    generate(plan(rows=2, answer_format="boxed"), tmp_path / "t.jsonl", processes=1)
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
        generate(plan("toy-v0", "arithmetic-v0", rows=4), tmp_path / "t.jsonl", processes=1)
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
        generate(plan("few-v0", rows=10), tmp_path / "t.jsonl", processes=1)
        path = write_lines(tmp_path / "r.jsonl", right(tmp_path / "t.jsonl"))
        report, _ = judged(tmp_path / "t.jsonl", path, processes=2)
    assert report.total.solved == 10


# -- files that do not fit ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["x", "x"], r"r\.jsonl ends after 2 lines, and .*tasks\.jsonl has more rows"),
        ([], "ends after 0 lines"),
        (["x"] * 4, r"r\.jsonl has more lines than .*tasks\.jsonl has rows, which is 3"),
        (["x", {"response": "x", "index": 2}, "x"], "line 2 is for row 2 and stands beside row 1"),
        (["x", {"response": "x", "index": "1"}, "x"], "line 2 is for row '1'"),
        (["x", {"text": "x"}, "x"], "line 2 has no response; it has text"),
        (["x", {}, "x"], "line 2 has no response; it has nothing"),
        (["x", {"responses": "x"}, "x"], "line 2: responses are a list, got str"),
        (["x", {"response": 5}, "x"], "line 2: a response is text"),
        (["x", {"response": ["x", 5]}, "x"], "line 2: a response is text"),
        (["x", {"response": {"a": "b"}}, "x"], "line 2: a response is text"),
        (["x", {"responses": [["x"], [None]]}, "x"], "line 2: a response is text"),
        (["x", math.nan, "x"], "line 2: a response is text"),
    ],
)
def test_responses_that_do_not_fit_are_told(lines: list[Any], says: str, small: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=says):
        judged(small, write_lines(tmp_path / "r.jsonl", lines))


def test_a_line_that_is_not_json_is_told_by_its_number(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'"x"\r\n"x"\r\n{"response": \r\n')
    with pytest.raises(InvalidParameters, match=r"r\.jsonl, line 3, is not JSON"):
        judged(small, path)
    path.write_bytes(b'"x"\r\n"x"\r\n"x"')
    assert judged(small, path)[0].total.responses == 3


def test_the_index_of_a_row_is_its_own(small: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    part.write_text("".join(small.read_text().splitlines(keepends=True)[1:]))
    given = right(part)
    lines = [{"response": given[0], "index": 1}, {"response": given[1], "index": 2}]
    assert judged(part, write_lines(tmp_path / "r.jsonl", lines))[0].total.mean == 1.0
    with pytest.raises(InvalidParameters, match="is for row 0 and stands beside row 1"):
        judged(part, write_lines(tmp_path / "r.jsonl", [{"response": "x", "index": 0}] * 2))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "has no rows"),
        (b'{"question": "?", "answer": "42"}\n', "row 1, is not a row that envhub generate writes"),
        (b'{"ground_truth": "{}", "fingerprint": "a", "env_id": "b", "difficulty": [1]}\n', "row 1, is not a row"),
        (b"{\n", "line 1, is not JSON"),
    ],
)
def test_tasks_that_are_none_are_told(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(content)
    (tmp_path / "r.jsonl").write_text('"x"\n')
    with pytest.raises(InvalidParameters, match=says):
        judged(tmp_path / "t.jsonl", tmp_path / "r.jsonl")


def test_a_number_of_processes_is_positive(small: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="processes is a positive integer"):
        judged(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=-1)


# -- any size ----------------------------------------------------------------------------------------------------------


def counting(monkeypatch: pytest.MonkeyPatch, lines: int, length: int = 1) -> list[int]:
    """Endless files: so many rows and responses, counted as they are read."""
    row = {"ground_truth": "{}", "fingerprint": "ab", "env_id": "toy-v0", "difficulty": 1}
    consumed = [0]

    def tasks(path: Path) -> Iterator[Any]:
        for _ in range(lines):
            consumed[0] += 1
            yield row

    def responses(path: Path) -> Iterator[Any]:
        for _ in range(lines):
            yield "x" * length

    monkeypatch.setattr(grading, "rows", tasks)
    monkeypatch.setattr(grading, "json_lines", responses)
    return consumed


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "bound"), [(1, 256), (2, 256 * 6)])
def test_no_more_is_read_than_is_soon_judged(
    processes: int, bound: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines, most, done = 20_000, 0, 0
    consumed = counting(monkeypatch, lines)

    def note(one: Judged) -> None:
        nonlocal most, done
        most = max(most, consumed[0] - done)
        done += 1

    report = judge_file(tmp_path / "t", tmp_path / "r", processes=processes, on_verdict=note)
    assert report.total.responses == report.total.errors == done == lines
    assert most <= bound
    assert report.reasons == {"unjudgeable": lines}


def test_of_long_responses_fewer_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    consumed, most = counting(monkeypatch, 60, 1 << 20), 0

    def note(one: Judged) -> None:
        nonlocal most
        most = max(most, consumed[0] - one.row)

    judge_file(tmp_path / "t", tmp_path / "r", processes=1, on_verdict=note)
    assert most == 4


def test_a_table_is_read_a_piece_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    generate(plan(rows=5), tmp_path / "t.parquet", processes=1)
    sizes = []
    real = pyarrow.parquet.ParquetFile.iter_batches

    def noting(self: Any, batch_size: int) -> Any:
        sizes.append(batch_size)
        return real(self, batch_size=batch_size)

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", noting)
    assert len(list(files.rows(tmp_path / "t.parquet"))) == 5
    assert sizes == [1024]


@pytest.mark.slow
def test_stopped_while_judging_it_stops(small: Path, tmp_path: Path) -> None:
    def stop(one: Judged) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge_file(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=2, on_verdict=stop)


@pytest.mark.slow
def test_a_worker_that_was_killed_is_told(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    def broken(*_: Any) -> Future[Any]:
        lost: Future[Any] = Future()
        lost.set_exception(BrokenProcessPool())
        return lost

    monkeypatch.setattr(ProcessPoolExecutor, "submit", broken)
    with pytest.raises(EnvhubError, match="A process that judged was ended from outside"):
        judged(small, write_lines(tmp_path / "r.jsonl", ["x"] * 3), processes=2)
    with pytest.raises(EnvhubError, match=r"A process that drew tasks was ended from outside.*What is written is kept"):
        generate(plan(rows=3), tmp_path / "u.jsonl", processes=2)


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

"""``envhub verify``: a verdict a row, a summary, and an exit code for CI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from envhub.cli import app
from tests.dataset.workshop import Unjudged, facts, known, write_lines


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def right() -> list[Any]:
    """The oracle's responses to ``t.jsonl``."""
    made = run("generate", "arithmetic-v0,guess-number-v0", "-n", "6", "-o", "t.jsonl", "--difficulty", "2-3")
    assert made.exit_code == 0, made.output
    solved = "--with-solutions"
    run("generate", "arithmetic-v0,guess-number-v0", "-n", "6", "-o", "s.jsonl", "--difficulty", "2-3", solved)
    found = [{"response": row["solution"]} for row in facts(Path("s.jsonl"))]
    write_lines(Path("r.jsonl"), found)
    return found


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--processes", "1"])


def verify(*arguments: str) -> Result:
    return run("verify", "t.jsonl", "--responses", "r.jsonl", *arguments)


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return " ".join(result.stderr.split())


@pytest.mark.usefixtures("right")
def test_right_answers_are_fine() -> None:
    result = verify()
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert ["arithmetic-v0", "2", "2", "1.000", "2", "0", "0"] in lines
    assert ["guess-number-v0", "3", "1", "1.000", "1", "0", "0"] in lines
    assert lines[-1] == ["all", "6", "1.000", "6", "0", "0"]
    said = json.loads(verify("--json").stdout)
    assert said["total"] == {"responses": 6, "mean_score": 1.0, "solved": 6, "no_answer": 0, "errors": 0}
    assert [cell["env_id"] for cell in said["cells"]] == ["arithmetic-v0"] * 2 + ["guess-number-v0"] * 2
    assert said["errors"] == {}


def test_wrong_answers_fail_only_below_the_wanted_score(right: list[Any]) -> None:
    write_lines(Path("r.jsonl"), [*right[:3], {"response": "5"}, {"response": ""}, {"response": "<answer>0</answer>"}])
    assert verify().exit_code == 0
    assert json.loads(verify("--json").stdout)["total"]["mean_score"] == 0.5
    for least, code in (("0.5", 0), ("0.51", 1), ("0", 0), ("1", 1)):
        assert verify("--min-score", least).exit_code == code
    assert "--min-score" in refused(verify("--min-score", "1.5"))


def test_errors_are_counted_apart_and_fail(right: list[Any]) -> None:
    write_lines(Path("r.jsonl"), [*right[:5], {"response": None}])
    result = verify("--min-score", "1")
    assert result.exit_code == 1
    assert "1 could not be judged: no_response" in result.stdout
    said = json.loads(verify("--json").stdout)
    assert (said["total"]["mean_score"], said["total"]["errors"]) == (1.0, 1)
    assert said["errors"] == {"no_response": 1}


def test_a_mean_of_nothing_is_no_score() -> None:
    with known("toy-v0", Unjudged):
        assert run("generate", "toy-v0", "-n", "2", "-o", "t.jsonl").exit_code == 0
        write_lines(Path("r.jsonl"), ["<answer>1</answer>"] * 2)
        result = verify("--min-score", "0")
    assert result.exit_code == 1
    assert "2 could not be judged: judge_lost" in result.stdout


def test_every_verdict_may_be_written(right: list[Any]) -> None:
    write_lines(Path("r.jsonl"), [*right[:4], {"responses": ["\ud800", None]}, right[5]])
    assert verify("--out", "v.jsonl").exit_code == 1
    found = [json.loads(line) for line in Path("v.jsonl").read_text().splitlines()]
    assert [(line["index"], line["sample"], line["score"]) for line in found] == [
        (0, 0, 1.0), (1, 0, 1.0), (2, 0, 1.0), (3, 0, 1.0), (4, 0, 0.0), (4, 1, None), (5, 0, 1.0)
    ]  # fmt: skip
    assert found[5]["error"]["code"] == "no_response"
    assert {"env_id", "difficulty", "status", "solved", "components", "answer", "reason"} <= found[0].keys()
    assert "Write" not in verify().stdout


@pytest.mark.usefixtures("right")
def test_verdicts_destroy_no_file() -> None:
    before = {name: Path(name).read_bytes() for name in ("t.jsonl", "r.jsonl")}
    Path("link.jsonl").symlink_to("t.jsonl")
    for name in ("t.jsonl", "r.jsonl", "link.jsonl"):
        for more in ([], ["--overwrite"]):
            assert "is an input file; choose another name" in refused(verify("--out", name, *more))
    Path("mine.txt").write_text("mine")
    assert "mine.txt already exists" in refused(verify("--out", "mine.txt"))
    assert Path("mine.txt").read_text() == "mine"
    assert {name: Path(name).read_bytes() for name in before} == before
    assert verify("--out", "mine.txt", "--overwrite").exit_code == 0
    assert len(Path("mine.txt").read_text().splitlines()) == 6
    assert verify("--out", "/dev/null").exit_code == 0


@pytest.mark.usefixtures("right")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--out", "no/v.jsonl"], "no/v.jsonl cannot be written: No such file"),
        (["--out", "."], ". cannot be written: Is a directory"),
        (["--answer-format", "tagg"], "Did you mean 'tag'"),
        (["--processes", "0"], "--processes"),
    ],
)
def test_bad_usage_is_told(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(app, ["verify", "t.jsonl", "--responses", "r.jsonl", *arguments])
    assert says in refused(result)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (b"", "r.jsonl ends after 0 lines"),
        (b'"x"\n' * 7, "r.jsonl has more lines"),
        (b'"x"\n{\n', "r.jsonl, line 2, is not JSON"),
        (b'"x"\n{"response": "x", "index": 5}\n', "line 2 is for row 5 and stands beside row 1"),
    ],
)
def test_files_that_do_not_fit_are_told(lines: bytes, says: str, right: list[Any]) -> None:
    Path("r.jsonl").write_bytes(lines)
    assert says in refused(verify())


@pytest.mark.parametrize(
    ("tasks", "says"),
    [
        ("missing.jsonl", "missing.jsonl cannot be read: No such file"),
        ("missing.parquet", "missing.parquet cannot be read: "),
        ("folder", "folder cannot be read: Is a directory"),
        ("empty.jsonl", "empty.jsonl has no rows"),
        ("empty.parquet", "empty.parquet cannot be read as parquet"),
        ("other.jsonl", "row 1, is not a row that envhub generate writes"),
    ],
)
def test_tasks_that_are_none_are_told(tasks: str, says: str) -> None:
    Path("folder").mkdir()
    Path("empty.jsonl").touch()
    Path("empty.parquet").touch()
    Path("other.jsonl").write_text('{"question": "?"}\n')
    Path("r.jsonl").write_text('"x"\n')
    assert says in refused(run("verify", tasks, "--responses", "r.jsonl"))


@pytest.mark.usefixtures("right")
@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_responses_that_cannot_be_read_are_told(name: str) -> None:
    assert f"{name} cannot be read" in refused(run("verify", "t.jsonl", "--responses", name))

"""``envhub generate``: what its options mean, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import envhub.dataset
from envhub.cli import app
from envhub.dataset import truth
from tests.dataset.workshop import Few, facts, known, marks, problems_of, read, write_lines
from tests.support.places import ROOT


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["generate", *arguments, "--processes", "1"])


def refused(*arguments: str) -> str:
    """What was said by a command that ended with 2, without a traceback and without a file."""
    before = sorted(Path().iterdir())
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert sorted(Path().iterdir()) == before
    return " ".join(result.stderr.replace("│", " ").split())


def test_it_writes_rows_and_a_card_and_says_so() -> None:
    result = run("arithmetic-v0,countdown-v0", "-n", "8", "--difficulty", "2-3", "--out", "t.jsonl")
    assert result.exit_code == 0, result.output
    assert "t.jsonl" in result.stdout
    assert "The card is t.card.md." in result.stdout
    assert {(row["env_id"], row["difficulty"]) for row in facts(Path("t.jsonl"))} == {
        (id, level) for id in ("arithmetic-v0", "countdown-v0") for level in (2, 3)
    }
    assert len(read(Path("t.jsonl"))) == 8
    assert sorted(path.name for path in Path().iterdir()) == ["t.card.md", "t.jsonl"]


def test_several_splits_in_one_go_share_nothing() -> None:
    result = run("countdown-v0", "--splits", "train=20,test=7", "--out", "t.parquet", "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["rows"] == 27
    assert said["files"] == {"train": "t.train.parquet", "test": "t.test.parquet"}
    assert said["counts"]["test"] == [{"env_id": "countdown-v0", "difficulty": 3, "rows": 7}]
    train, test = marks(Path("t.train.parquet")), marks(Path("t.test.parquet"))
    assert (len(train), len(test)) == (20, 7)
    assert not set(train) & set(test)
    assert {row["split"] for row in facts(Path("t.test.parquet"))} == {"test"}


def test_every_option_has_its_effect() -> None:
    options = [
        "--split",
        "validation",
        "--seed",
        "9",
        "--format",
        "trl",
        "--param",
        "terms=2",
        "--param",
        "operators=+",
    ]
    more = ["--answer-format", "boxed", "--system", "Be brief.", "--with-solutions", "--difficulty", "1-2"]
    assert run("arithmetic-v0", "-n", "4", "-o", "t.jsonl", *options, *more).exit_code == 0
    for row in read(Path("t.jsonl")):
        key = json.loads(row["ground_truth"])
        assert (key["split"], key["params"]["terms"], key["params"]["operators"]) == ("validation", 2, "+")
        assert row["prompt"][0] == {"role": "system", "content": "Be brief."}
        assert "\\boxed{" in row["prompt"][1]["content"]
        assert row["solution"][0].startswith("\\boxed{")
    assert run("arithmetic-v0", "-n", "4", "-o", "u.jsonl", *options, *more, "--seed", "10").exit_code == 0
    assert not set(marks(Path("t.jsonl"))) & set(marks(Path("u.jsonl")))


def test_the_rows_of_a_tool_format_ask_for_it_and_accept_no_other() -> None:
    assert run("browse-v0", "-n", "2", "-o", "t.jsonl", "--format", "trl", "--tool-format", "mistral").exit_code == 0
    for row in read(Path("t.jsonl")):
        assert "[TOOL_CALLS]" in row["prompt"][-1]["content"]
        env = envhub.begin(truth.read(row["ground_truth"]), answer_format=row["answer_format"])
        assert env.task.prompt == row["prompt"][-1]["content"]
        observation, *_ = env.step('<tool_call>{"name": "back", "arguments": {}}</tool_call>')
        assert "a call in the format hermes" in observation


def test_other_files_are_kept_apart() -> None:
    assert run("countdown-v0", "-n", "10", "--out", "theirs.jsonl").exit_code == 0
    prompt = read(Path("theirs.jsonl"))[5]["prompt"][0]["content"]
    write_lines(Path("ours.jsonl"), read(Path("theirs.jsonl"))[:3])
    Path("web.txt").write_text(f"Homework!\n{prompt}")
    result = run("countdown-v0", "-n", "6", "--out", "t.jsonl", "--exclude", "ours.jsonl", "--exclude", "web.txt")
    assert result.exit_code == 0, result.output
    there = marks(Path("theirs.jsonl"))
    assert set(marks(Path("t.jsonl"))).isdisjoint([*there[:3], there[5]])
    assert set(marks(Path("t.jsonl"))) >= {there[3], there[4], there[6]}
    assert "--exclude" in Path("t.card.md").read_text()
    few = run("countdown-v0", "-n", "6", "--out", "u.jsonl", "--exclude", "web.txt", "--exclude-ngram", "2")
    assert few.exit_code in (0, 2)
    assert "Traceback" not in few.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sudku-v0", "-n", "5"], "Did you mean 'sudoku-v0'"),
        (["sudoku-v0,", "-n", "5"], "No environment ''"),
        (["arithmetic-v0"], "Say how many rows: -n N, or --splits"),
        (["arithmetic-v0", "-n", "5", "--splits", "train=5"], "Give either -n or --splits"),
        (["arithmetic-v0", "-n", "0"], "positive integer, got 0"),
        (["arithmetic-v0", "-n", "-5"], "positive integer, got -5"),
        (["arithmetic-v0", "-n", "many"], "valid integer"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "5-1"], "from 1 to 10"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "0"], "from 1 to 10"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "11"], "from 1 to 10"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "1-11"], "from 1 to 10"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "hard"], "a level like 3 or a range like 1-5, got 'hard'"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "1-"], "got '1-'"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "\u0663"], "a level like 3"),
        (["arithmetic-v0", "-n", "5", "--difficulty", "9" * 5000], "a level like 3"),
        (["arithmetic-v0", "--splits", "train=5,train=6"], "each split once; got 'train=6'"),
        (["arithmetic-v0", "--splits", "train"], "--splits is like train=10000,test=500"),
        (["arithmetic-v0", "--splits", "train=\u0665"], "--splits is like"),
        (["arithmetic-v0", "--splits", "train=" + "9" * 5000], "--splits is like"),
        (["arithmetic-v0", "--splits", "training=5"], "Did you mean 'train'"),
        (["arithmetic-v0", "-n", "5", "--split", "dev"], "No split 'dev'"),
        (["arithmetic-v0", "-n", "5", "--seed", "-1"], "A seed is an integer"),
        (["arithmetic-v0", "-n", "5", "--format", "very"], "Did you mean 'verl'"),
        (["arithmetic-v0", "-n", "5", "--param", "terms"], "name=value"),
        (["arithmetic-v0", "-n", "5", "--param", "terns=2"], "Did you mean 'terms'"),
        (["arithmetic-v0", "-n", "5", "--param", "terms=0"], "terms"),
        (["arithmetic-v0,sudoku-v0", "-n", "5", "--param", "terms=2"], "are for one environment"),
        (["arithmetic-v0", "-n", "5", "--answer-format", "bocked"], "No answer format 'bocked'"),
        (["browse-v0", "-n", "5", "--tool-format", "hermse"], "Did you mean 'hermes'"),
        (["browse-v0,countdown-v0", "-n", "5", "--tool-format", "hermes"], "countdown-v0 has no tools"),
        (["browse-v0", "-n", "5", "--tool-format", "hermes", "--answer-format", "tag"], "not both"),
        (["arithmetic-v0", "-n", "5", "--exclude", "missing.txt"], "missing.txt cannot be read"),
        (["arithmetic-v0", "-n", "5", "--exclude-ngram", "0"], "--exclude-ngram"),
        (["arithmetic-v0", "-n", "5", "--out", "t.csv"], ".jsonl or .parquet"),
        (["arithmetic-v0", "-n", "5", "--out", "no/t.jsonl"], "There is no folder no."),
        (["arithmetic-v0", "-n", "5", "--format", "nemo-gym", "--out", "t.parquet"], "write .jsonl"),
    ],
)
def test_bad_usage_is_told_in_a_sentence(arguments: list[str], says: str) -> None:
    out = [] if "--out" in arguments else ["--out", "t.jsonl"]
    assert says in refused(*arguments, *out)


def test_what_is_there_is_kept() -> None:
    Path("t.jsonl").write_text("mine")
    assert "t.jsonl already exists" in refused("arithmetic-v0", "-n", "2", "--out", "t.jsonl")
    Path("u.config.json").write_text("mine")
    for more in ([], ["--overwrite"]):
        assert "u.config.json is not the configuration of a dataset" in refused(
            "arithmetic-v0", "-n", "2", "-o", "u.jsonl", *more
        )
    assert Path("t.jsonl").read_text() == Path("u.config.json").read_text() == "mine"
    assert run("arithmetic-v0", "-n", "2", "--out", "t.jsonl", "--overwrite").exit_code == 0
    assert len(read(Path("t.jsonl"))) == 2


def test_too_few_problems_are_told_with_how_many_there_are_and_what_to_do() -> None:
    with known("few-v0", Few):
        result = run("few-v0", "-n", "100", "--out", "t.jsonl")
        assert result.exit_code == 2
        assert f"about {problems_of('train')} different problems in the split 'train'" in result.stderr
        assert "Traceback" not in result.output
        result = run("few-v0", "-n", "100", "--out", "t.jsonl", "--allow-fewer")  # as the message says
        assert result.exit_code == 0, result.output
        assert f"{problems_of('train')} rows existed already" in result.stdout
    assert len(read(Path("t.jsonl"))) == problems_of("train")


def test_ctrl_c_keeps_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    real = envhub.dataset.generate

    def stopping(*arguments: Any, on_row: Any, **settings: Any) -> Any:
        def stop(split: str, row: int, total: int) -> None:
            on_row(split, row, total)
            if row == 4:
                raise KeyboardInterrupt

        return real(*arguments, on_row=stop, **settings)

    with monkeypatch.context() as patch:
        patch.setattr(envhub.dataset, "generate", stopping)
        result = run("arithmetic-v0", "-n", "9", "--out", "t.jsonl")
    assert result.exit_code == 130
    assert "Stopped. The rows written so far are kept. Run the same command again to resume." in result.stderr
    result = run("arithmetic-v0", "-n", "9", "--out", "t.jsonl")
    assert result.exit_code == 0
    assert "4 rows existed already." in result.stdout
    assert run("arithmetic-v0", "-n", "9", "--out", "u.jsonl").exit_code == 0
    assert Path("t.jsonl").read_bytes() == Path("u.jsonl").read_bytes()


_STOPPED = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import envhub.dataset
real = envhub.dataset.generate
def stopping(*arguments, on_row, **settings):
    def stop(split, row, total):
        on_row(split, row, total)
        if row == 4:
            os.killpg(0, signal.SIGINT)  # Ctrl-C: to the writer and to all that draw for it
    return real(*arguments, on_row=stop, **settings)
envhub.dataset.generate = stopping
from envhub.cli import main
if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_ends_every_process_quietly() -> None:
    Path("stopped.py").write_text(_STOPPED)
    arguments = ["generate", "arithmetic-v0", "-n", "200", "--out", "t.jsonl", "--processes", "3"]
    with subprocess.Popen(
        [sys.executable, "stopped.py", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as stopped:
        assert stopped.stdout is not None
        said = stopped.stdout.read().decode()
    assert stopped.returncode in (130, -signal.SIGINT), said
    assert "Stopped. The rows written so far are kept." in said
    assert "Traceback" not in said
    assert Path("t.jsonl.part").read_bytes().count(b"\n") == 4

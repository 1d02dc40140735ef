"""Questions of a file are written by ``envhub generate`` and judged by ``envhub verify``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.dataset import truth


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--processes", "1"])


def test_generate_takes_every_question_once_and_verify_judges_them_anywhere(
    few: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, away, data = tmp_path / "home", tmp_path / "away", tmp_path / "data"
    for folder in (home, away, data):
        folder.mkdir()
    monkeypatch.chdir(home)
    rows = (tmp_path / few).read_text().splitlines()
    Path("q.jsonl").write_text("\n".join([*rows, *rows[:7]]))  # some stand there twice
    command = ["generate", "dataset-v0", "--param", "path=q.jsonl", "--splits", "train=40,validation=40,test=40"]
    refused = run(*command, "-o", "refused.jsonl")
    assert refused.exit_code != 0
    assert "different problems in the split 'train'" in " ".join(refused.stderr.split())
    made = run(*command, "--allow-fewer", "-o", "tasks.jsonl", "--json", "--with-solutions")
    if "There is not a single problem" in made.stderr:  # of so few questions a split may have none
        made = run(
            *command[:-1], "train=40,validation=40", "--allow-fewer", "-o", "tasks.jsonl", "--json", "--with-solutions"
        )
    assert made.exit_code == 0, made.stderr
    files = json.loads(made.stdout)["files"]
    tasks = {split: [json.loads(line) for line in Path(path).read_text().splitlines()] for split, path in files.items()}
    asked = [row["prompt"][0]["content"].partition("\n")[0] for split in tasks.values() for row in split]
    known = {json.loads(row)["prompt"] for row in rows}
    assert len(asked) == len(set(asked))
    assert set(asked) <= known
    assert len(asked) >= 38
    for row in tasks["train"]:
        assert "kind" not in json.dumps(row["prompt"])
        for solution in row["extra_info"].pop("solution"):
            assert solution.removeprefix("<answer>").removesuffix("</answer>") not in json.dumps(row)

    solved = [json.loads(line)["extra_info"]["solution"] for line in Path(files["train"]).read_text().splitlines()]
    Path("right.jsonl").write_text("".join(f"{json.dumps({'response': solution})}\n" for solution in solved))
    verify = ["verify", str(home / files["train"]), "--responses", str(home / "right.jsonl"), "--json"]
    assert json.loads(run(*verify).stdout)["total"]["mean_score"] == 1.0
    monkeypatch.chdir(away)
    truth.judge.cache_clear()  # another process has drawn nothing
    lost = run(*verify)
    assert lost.exit_code == 1
    assert json.loads(lost.stdout)["errors"] == {"unjudgeable": len(tasks["train"])}
    (home / "q.jsonl").rename(data / "q.jsonl")
    monkeypatch.setenv("ENVHUB_DATASETS", str(data))
    found = run(*verify)
    assert found.exit_code == 0
    assert json.loads(found.stdout)["total"]["solved"] == len(tasks["train"])

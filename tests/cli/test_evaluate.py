"""``envhub eval`` and ``envhub eval compare``: files, tables, exit codes."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from envhub.cli import app
from envhub.evaluation import EndpointPlayer, EvaluationConfig
from envhub.verifiers.judge.endpoint import Said
from tests.evaluation.endpoint import WRONG, Model, knowing, serving


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


def of(model: Model, url: str, out: Path) -> tuple[object, ...]:
    """What every run here is asked with."""
    return "--env", "arithmetic-v0:1-2", "-n", 4, "-k", 2, "--endpoint", url, "--model", "m", "--out", out


def test_a_run_writes_its_three_files_and_goes_on(tmp_path: Path) -> None:
    model = Model(knowing(EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=4, attempts=2), 1.0))
    with serving(model) as url:
        shown = run(*of(model, url, tmp_path))
        assert shown.exit_code == 0, shown.output
        assert model.bodies[0]["temperature"] == 1.0
        assert model.bodies[0]["max_tokens"] == 4096
        again = run(*of(model, url, tmp_path), "--json")
        assert model.asked == 16
    assert "pass@2" in shown.stdout
    assert "1.000" in shown.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"attempts.jsonl", "summary.json", "report.html"}
    told = json.loads(again.stdout)
    assert told == json.loads((tmp_path / "summary.json").read_text())
    assert told["overall"]["solved"]["mean"] == 1.0
    assert "<svg" in (tmp_path / "report.html").read_text()


def test_what_is_missing_is_said_and_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.verifiers.judge.endpoint._FIRST_WAIT_S", 0.0)
    model = Model(lambda messages: {"role": "assistant", "content": WRONG})
    model.dies_after = 5
    with serving(model) as url:
        cut = run(*of(model, url, tmp_path), "--at-once", 1)
        assert cut.exit_code == 1
        assert "11 attempts have no verdict yet. The last failure: The endpoint answered 503, 4 times." in cut.stderr
        assert cut.stderr.count("arithmetic-v0: The endpoint answered 503") == 1  # said once, as soon as it happens
        model.dies_after = None
        assert run(*of(model, url, tmp_path)).exit_code == 0


def test_two_runs_are_compared(tmp_path: Path) -> None:
    config = EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=4, attempts=2)
    for name, right in (("a", 0.0), ("b", 1.0)):
        model = Model(knowing(config, right))
        with serving(model) as url:
            assert run(*of(model, url, tmp_path / name)).exit_code == 0
    shown = run("compare", tmp_path / "a", tmp_path / "b")
    assert shown.exit_code == 0, shown.output
    assert "+1.000" in shown.stdout
    page = tmp_path / "page.html"
    told = json.loads(run("compare", tmp_path / "a", tmp_path / "b", "--html", page, "--json").stdout)
    assert "Tasks that they solve differently often: 8 of 8" in page.read_text()
    assert page.read_text().count("<details>") == 8 * 2 * 2
    assert WRONG.replace("<", "&lt;").replace(">", "&gt;") in page.read_text()
    assert told["overall"]["tasks"] == 8
    assert told["overall"]["p"] < 0.02


def test_the_score_runs_along(tmp_path: Path) -> None:
    model = Model(knowing(EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=4, attempts=2), 1.0))
    with serving(model) as url:
        lines = run(*of(model, url, tmp_path)).stderr.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "16 of 16 attempts, solved 1.00"


def test_ctrl_c_shows_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = 6
    asked = 0

    async def reply(self: EndpointPlayer, messages: list[Any], tools: Any, attempt: int) -> Said:
        nonlocal asked
        asked += 1
        if asked > replies:
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()
        return Said(WRONG)

    monkeypatch.setattr(EndpointPlayer, "reply", reply)
    monkeypatch.setenv("COLUMNS", "120")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        cut = run(*of(Model(lambda _: {}), "http://127.0.0.1:1", tmp_path), "--at-once", 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert cut.exit_code == 130
    assert "0.000 (" in cut.stdout
    assert "Stopped with 10 attempts missing. Run the same command again to resume." in cut.stderr


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "needs --env"),
        (["--env", "sudoku-v0"], "and a folder, --out"),
        (["--env", "sudoku-v0", "--out", "x"], "either an --endpoint with a --model, or a --checkpoint"),
        (["--env", "sudoku-v0", "--out", "x", "--endpoint", "http://127.0.0.1:1"], "given by --model"),
        (["--env", "sudoko-v0", "--out", "x"], "sudoku-v0"),
        (["compare", "x", "y"], "There are no attempts in"),
    ],
)
def test_bad_usage_says_what_is_missing(given: list[str], says: str, tmp_path: Path) -> None:
    shown = run(*given)
    assert shown.exit_code == 2
    assert says in shown.stderr


@pytest.mark.slow
def test_a_model_on_disk(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="a checkpoint needs the trainer: pip install 'envhub[train]'")
    from envhub_trainer.config import TinyConfig
    from envhub_trainer.tiny import build_model, build_tokenizer, save

    said = [[{"role": "user", "content": "Compute 1 + 2."}, {"role": "assistant", "content": "<answer>3</answer>"}]]
    tokenizer = build_tokenizer(said, TinyConfig())
    save(tmp_path / "model", build_model(tokenizer, TinyConfig(), seed=0), tokenizer)
    given = ("--env", "arithmetic-v0:1", "-n", 3, "--checkpoint", tmp_path / "model", "--max-tokens", 8)
    first, again = (run(*given, "--out", tmp_path / name, "--json") for name in ("a", "b"))
    assert first.exit_code == again.exit_code == 0, first.output
    told = json.loads(first.stdout)
    assert told["overall"]["judged"] == 3
    assert told["overall"]["tokens"] > 0
    assert told == json.loads(again.stdout)
    assert run(*given[:4], "--checkpoint", tmp_path / "none", "--out", tmp_path / "c").exit_code == 2

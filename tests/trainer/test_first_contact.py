"""What a first user meets: recipes by name, errors before anything is written, models that are folders, lines of progress."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import transformers
from typer.testing import CliRunner

from envhub_trainer.cli import app
from envhub_trainer.config import RECIPES, ConfigError, ModelConfig, TrackConfig, load, recipes
from envhub_trainer.loop import train
from envhub_trainer.models import load_model, load_tokenizer, source
from envhub_trainer.warmstart import warm_start
from envhub_trainer.watch.track import Track
from tests.support.places import ROOT
from tests.trainer import runs
from tests.trainer.recipes import addition

NAMES = ["addition", "guess", "kuhn", "prime", "search", "smollm", "spo", "vapo"]


def test_recipes_are_listed_and_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["--list"])
    assert (listed.exit_code, [line.split()[0] for line in listed.stdout.splitlines()]) == (0, NAMES)
    assert list(recipes()) == NAMES
    for name, what in recipes().items():
        assert len(what) > 20
        assert load(name) == load(RECIPES / f"{name}.toml")


def test_a_file_comes_before_a_recipe_and_a_typo_gets_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for word, said in (("additon", "Did you mean 'addition'?"), ("zzz", "The recipes are addition, guess")):
        ended = CliRunner().invoke(app, [word])
        assert ended.exit_code == 2
        assert said in ended.stderr
    with pytest.raises(ConfigError, match=r"cannot be read: No such file"):
        load("recipes/addition.toml")
    Path("guess").write_text((RECIPES / "kuhn.toml").read_text())
    assert load("guess") == load("kuhn")


def test_recipes_are_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert f"trainer/{RECIPES.parent.name}" in wheel["packages"]
    assert not {"exclude", "include", "only-include"} & wheel.keys()
    assert RECIPES.parent == Path(sys.modules["envhub_trainer"].__file__ or "").parent


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"algorithm": {"name": "gpro"}}, "algorithm: "),
        ({"algorithm": {"clip_hihg": 0.2}}, "algorithm: "),
        ({"tasks": {"environments": {"guess-nmber-v0": 1}}}, "tasks: "),
        ({"evaluate": {"environments": {"guess-nmber-v0": 1}}}, "tasks: "),
        ({"model": {"path": "runs/missing-start"}}, "There is no model in runs/missing-start"),
        ({"model": {"path": "HuggingFaceTB/SmolLM2-135M"}}, "hub:OWNER/NAME"),
        ({"track": {"trackio": "x"}}, "trackio"),
        ({"algorithm": {"name": "rloo", "kl": 0}, "optimizer": {"minibatches": 2}}, "rloo has no importance ratio"),
        (
            {"algorithm": {"name": "rloo", "kl": 0}, "optimizer": {"minibatches": 1, "epochs": 2}},
            r"epochs = 2.*Set them to",
        ),
        (
            {"algorithm": {"name": "remax", "kl": 0}, "optimizer": {"minibatches": 1}, "rollout": {"staleness": 4}},
            "staleness = 4",
        ),
    ],
)
def test_a_run_that_cannot_begin_does_not_claim_its_folder(tmp_path: Path, sections: dict[str, Any], said: str) -> None:
    if "track" in sections and "trackio" in sys.modules:
        pytest.skip("trackio is installed")
    config = runs.config(tmp_path, run={"steps": 1}, **sections)
    with pytest.raises(ConfigError, match=said):
        asyncio.run(train(config))
    assert not (config.run.folder / "config.json").exists()
    assert "track" in sections or not config.run.folder.exists()


def test_another_runs_folder_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    config = runs.config(tmp_path, run={"steps": 1})
    assert asyncio.run(train(config)).step == 1  # after the typos above the corrected settings take the folder
    before = {path: path.stat().st_mtime_ns for path in config.run.folder.rglob("*")}
    with pytest.raises(ConfigError, match="holds a run with other settings of model, rollout"):
        asyncio.run(train(runs.config(tmp_path, run={"steps": 1}, rollout={"size": 2}, model={"path": "nowhere"})))
    assert {path: path.stat().st_mtime_ns for path in config.run.folder.rglob("*")} == before


HOLDER = """
import sys
from pathlib import Path
from envhub_trainer.claim import locked

with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_folder_in_use_is_refused_until_its_process_ends_even_killed(tmp_path: Path) -> None:
    config = runs.config(tmp_path, run={"steps": 1})
    command = [sys.executable, "-c", HOLDER, str(config.run.folder)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(ConfigError, match=f"is in use by process {holder.pid} on {socket.gethostname()}"):
            asyncio.run(train(config))
        assert not (config.run.folder / "log.jsonl").exists()
        holder.kill()
    assert asyncio.run(train(config)).step == 1
    assert (config.run.folder / "lock").read_text() == f"process {os.getpid()} on {socket.gethostname()}\n"


def test_a_recipe_makes_its_model_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    short = ["run.steps=1", "rollout.groups=2", "rollout.size=2", "evaluate.every=0", "algorithm.name=grpo"]
    warm = ["warmstart.steps=2", "warmstart.every=2", "warmstart.episodes=2"]
    changes = [word for change in (*short, *warm) for word in ("--set", change)]
    done = CliRunner().invoke(app, ["addition", *changes])
    assert done.exit_code == 0, done.output
    assert "runs/addition-start: solves" in done.output
    assert "steps done" in done.output
    assert "1 of 1" in done.output
    assert "`envhub train report runs/addition` writes a page" in done.output
    again = CliRunner().invoke(app, ["addition", *changes])
    assert "addition-start" not in again.output


@pytest.mark.parametrize("path", ["runs/addition-start", "./here", "/nowhere/model", "gpt2", "owner/name"])
def test_a_missing_folder_is_never_looked_up_elsewhere(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    def asked(*_: object, **__: object) -> None:
        raise AssertionError("transformers was asked")

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", asked)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", asked)
    for work in (lambda: load_model(path, ModelConfig(path=path)), lambda: load_tokenizer(path)):
        with pytest.raises(ConfigError, match=rf"There is no model in {path}.*warmstart.*hub:OWNER/NAME"):
            work()


def test_a_model_of_the_hub_is_named_with_its_prefix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, bool]] = []

    def ask(name: str, *, local_files_only: bool, **_: object) -> str:
        asked.append((name, local_files_only))
        return "tokenizer"

    def unreachable(name: str, **_: object) -> None:
        raise OSError

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", ask)
    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", unreachable)
    assert load_tokenizer("hub:owner/name") == "tokenizer"
    (tmp_path / "config.json").write_text("{}")
    load_tokenizer(str(tmp_path))
    assert asked == [("owner/name", False), (str(tmp_path), True)]
    with pytest.raises(ConfigError, match="names no model"):
        source("hub:")


def test_a_warm_start_reports_its_progress(tmp_path: Path) -> None:
    lines: list[str] = []
    asyncio.run(warm_start(addition(tmp_path, warmstart={"steps": 2, "every": 1}), lines.append))
    assert lines[0] == "Building the model from scratch."
    assert lines[1] == "Learning from demonstrations: at most 2 steps."
    assert [line.split(":")[0] for line in lines[2:]] == ["step 1 of 2", "step 2 of 2"]
    assert "solved" in lines[-1]
    with pytest.raises(ConfigError, match="must be a folder"):
        asyncio.run(warm_start(addition(tmp_path, model={"path": "hub:owner/name"})))


@pytest.mark.parametrize(
    ("live", "terminal", "shown"), [(None, True, True), (None, False, False), (False, True, False)]
)
def test_the_view_is_on_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, live: bool | None, terminal: bool, shown: bool
) -> None:
    views: list[object] = []

    class View:
        def __init__(self, *args: object) -> None:
            views.append(args)

        def close(self) -> None: ...

    monkeypatch.setattr("envhub_trainer.watch.track.View", View)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    Track(tmp_path, TrackConfig(live=live), 0).close()
    assert bool(views) is shown

"""What a shell gets to complete with Tab."""

from __future__ import annotations

import pytest

from envhub.cli import app
from envhub.core.seeding import SPLITS
from envhub.registry.registry import list_envs


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("envhub play sudok", ["sudoku-v0"]),
        ("envhub info countd", ["countdown-v0"]),
        ("envhub audit sudoku-v0 countd", ["countdown-v0"]),
        ("envhub generate sudoku-v0,countd", ["sudoku-v0,countdown-v0"]),
        ("envhub eval --env countd", ["countdown-v0"]),
        ("envhub play sudoku-v0 --difficulty 1", ["1", "10"]),
        ("envhub play sudoku-v0 --watch o", ["oracle"]),
        ("envhub play sudoku-v0 --split ", list(SPLITS)),
        ("envhub generate sudoku-v0 --answer-format b", ["boxed"]),
        ("envhub generate sudoku-v0 --tool-format her", ["hermes"]),
        ("envhub generate sudoku-v0 --format open", ["openrlhf"]),
        ("envhub play --diff", ["--difficulty"]),
        ("envhub play no-such-id", []),
    ],
)
def test_values_and_options_are_completed(
    typed: str, completed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(typed, monkeypatch, capsys) == completed


def test_all_environments_are_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert offered("envhub play ", monkeypatch, capsys) == list_envs()


def offered(typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What bash is offered behind a line; its last word is unfinished."""
    monkeypatch.setenv("_ENVHUB_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" ")) - 1))
    with pytest.raises(SystemExit):
        app(prog_name="envhub", args=[])
    return capsys.readouterr().out.split()

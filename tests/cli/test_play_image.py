"""``envhub play --image``."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

import envhub
from envhub.cli.pictured import Pictures
from envhub.scenes.pixels import png
from envhub.scenes.terminal import escape_codes
from tests.cli.commands import run

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_without_a_terminal_each_state_is_a_file(tmp_path: Path) -> None:
    env = envhub.make("sokoban-v0", difficulty=1)
    env.reset(seed=3)
    pictures, action = [png(env.scene())], env.solve()  # type: ignore[arg-type]
    env.step(action)
    pictures.append(png(env.scene()))  # type: ignore[arg-type]
    script = tmp_path / "script.txt"
    script.write_text(f"{action}\n")
    found = run("play", "sokoban-v0", "--difficulty", "1", "--seed", "3", "--script", str(script), "--image")
    files = [Path(line) for line in re.findall("^Picture: (.*)$", found.stdout, re.MULTILINE)]
    assert [file.read_bytes() for file in files] == pictures


def test_a_terminal_that_can_shows_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-kitty")
    monkeypatch.delenv("TMUX", raising=False)
    env = envhub.make("sokoban-v0", difficulty=1)
    env.reset(seed=3)
    shown = io.StringIO()
    Pictures(env, Console(file=shown, force_terminal=True)).show()
    assert escape_codes(env.scene(), "kitty") in shown.getvalue()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id", "arguments", "said"),
    [
        ("arithmetic-v0", (), "no pictures"),
        ("sokoban-v0", ("--url", "http://127.0.0.1:9"), "--image cannot be combined"),
    ],
)
def test_where_there_is_no_picture_the_reason_is_given(id: str, arguments: tuple[str, ...], said: str) -> None:
    found = run("play", id, "--image", *arguments)
    assert found.exit_code != 0
    assert said in " ".join(found.output.split())

"""The command line: help, versions and bad usage."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import envhub
from envhub.cli.terminal import plain
from tests.cli.commands import PATIENCE_S, refused, run

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.slow
def test_help_names_every_command_and_loads_nothing_heavy() -> None:
    code = """
import sys
from envhub.cli import main
sys.argv = ["envhub", "--help"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
heavy = {"gymnasium", "numpy", "pydantic", "fastapi", "uvicorn", "httpx", "yaml", "rich.console"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    for command in ("list", "info", "play", "generate", "verify", "new", "serve", "export", "demo"):
        assert f"\n  {command} " in done.stdout
        assert run(command, "--help").exit_code == 0


@pytest.mark.slow
def test_version_and_module() -> None:
    for command in ([str(Path(sys.executable).with_name("envhub"))], [sys.executable, "-m", "envhub"]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=PATIENCE_S)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"envhub {envhub.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["lst"], "'list'"),
        (["list", "--categry", "games"], "--category"),
        (["info"], "ID"),
        (["info", "sudko-v0"], "Did you mean 'sudoku-v0'?"),
        (["info", "sudoku-v0", "--difficulty", "11"], "from 1 to 10"),
        (["list", "--category", "gmes"], "Did you mean 'games'?"),
        (["play", "sudko-v0"], "Did you mean 'sudoku-v0'?"),
        (["play", "sudoku-v0", "--param", "sise=4"], "Did you mean 'size'?"),
        (["play", "sudoku-v0", "--param", "size=5"], "4, 6 or 9, got 5"),
        (["play", "sudoku-v0", "--param", "size"], "name=value, got 'size'"),
        (["play", "sudoku-v0", "--param", "split=test"], "'split' is an option"),
        (["play", "sudoku-v0", "--param", "size=4", "--param", "size=6"], "given twice"),
        (["play", "sudoku-v0", "--split", "tran"], "Did you mean 'train'?"),
        (["play", "sudoku-v0", "--seed", "-1"], "0..2**63-1, got -1"),
        (["play", "sudoku-v0", "--answer-format", "tags"], "Did you mean 'tag'?"),
        (["play", "sudoku-v0", "--script", "none.txt"], "'none.txt' cannot be read: No such file"),
        (["play", "sudoku-v0", "--url", "http://127.0.0.1:port"], "is not a URL"),
        (["demo", "--episodes", "0"], "greater than or equal to 1"),
        (["serve", "--host", "0.0.0.0"], "beyond loopback"),
        (["serve", "--port", "65536"], "--port: Input should be less than or equal to 65535, got 65536"),
        (["serve", "--max-batch", "0"], "--max-batch: "),
    ],
)
def test_bad_usage_says_what_is_wrong_and_what_is_near(arguments: Sequence[str], hint: str) -> None:
    assert hint in refused(run(*arguments))


def test_text_of_others_does_not_steer_the_terminal() -> None:
    assert plain("a\x1b[2J\r\tb\n\x9b\u202e\udc80") == "a\\x1b[2J\\r\tb\n\\x9b\\u202e\\udc80"
    assert plain("\u00e9 \u2550 [bold]") == "\u00e9 \u2550 [bold]"

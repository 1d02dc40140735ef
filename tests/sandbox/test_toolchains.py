"""Toolchains: packages that programs in a jail may import, and that nobody else can."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra
from envhub.sandbox.backend import Setting, Slot
from envhub.sandbox.broker import plain
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import jail_interpreter
from envhub.sandbox.resource import Sessions
from envhub.sandbox.sandbox import LocalSandbox
from envhub.sandbox.toolchains import (
    FOLDER_VARIABLE,
    TOOLCHAINS,
    Toolchain,
    found_toolchains,
    toolchain_named,
    write_stamp,
)
from envhub.sandbox.toolchains.setup import check_imports, setup_toolchain
from tests.sandbox import jails
from tests.sandbox.backends import Scripted

ROOM = Limits(wall_s=120, cpu_s=20, memory_mb=512, reserve_mb=4096, pids=64)
"""Room for the packages: libraries reserve far more address space than they use."""
LEARN = """
import os
import numpy, pandas
from sklearn.linear_model import LinearRegression
table = pandas.DataFrame({"x": [0.0, 1.0, 2.0], "y": [1.0, 3.0, 5.0]})
model = LinearRegression().fit(table[["x"]], table["y"])
print(round(float(model.coef_[0]), 6), os.environ["OMP_NUM_THREADS"], os.environ["LOKY_MAX_CPU_COUNT"])
"""
WRITE = """
import pathlib, sys
for path in (pathlib.Path("/opt/science/new.py"), pathlib.Path("/opt/science/numpy/__init__.py")):
    try:
        path.write_text("")
    except OSError as error:
        print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def science() -> Iterator[Slot]:
    """A slot to which the packages are lent."""
    if "science" not in jails.backend().toolchains():
        jails.lacking("the packages are not set up: envhub sandbox toolchain science")
    made = jails.slot(7)
    made.start()
    yield made
    made.close()


def learns(slot: Slot) -> None:
    """A program and both kinds of session import the packages; a program that names no toolchain cannot."""
    (result,) = slot.run(Job(Program(LEARN, toolchain="science"), limits=ROOM))
    assert result.text == "2.0 1 1\n", result
    with slot.open(Setting("python", limits=ROOM, toolchain="science")) as session:
        assert session.run(LEARN).text == "2.0 1 1\n"
        assert session.run("import subprocess; subprocess.run(['python3', '-c', 'import numpy; print(7)'])").ok
    with slot.open(Setting("bash", limits=ROOM, toolchain="science")) as shell:
        assert shell.run("python3 -c 'import numpy; print(numpy.arange(3).sum())'").text == "3\n"
    (without,) = slot.run(Job(Program("import numpy"), limits=ROOM))
    assert b"No module named 'numpy'" in without.stderr


def test_programs_and_sessions_import_the_packages(science: Slot) -> None:
    learns(science)


def test_nobody_writes_to_them(science: Slot) -> None:
    (result,) = science.run(Job(Program(WRITE, toolchain="science"), limits=ROOM))
    assert [name in ("OSError", "PermissionError") for name in result.text.split()] == [True, True]


def test_the_memory_limit_holds_for_arrays(science: Slot) -> None:
    source = "import numpy\ntry: numpy.ones((1 << 30,))\nexcept MemoryError: print('refused')"
    (result,) = science.run(Job(Program(source, toolchain="science"), limits=replace(ROOM, reserve_mb=1024)))
    assert result.text == "refused\n" or result.limit == "memory"


def test_an_unknown_toolchain_is_an_error() -> None:
    for make in (lambda: Program("", toolchain="scince"), lambda: Setting(toolchain="scince")):
        with pytest.raises(InvalidParameters, match="science"):
            make()


def test_a_missing_toolchain_names_the_command_that_sets_it_up() -> None:
    with LocalSandbox(Scripted()) as sandbox:
        with pytest.raises(MissingExtra, match="envhub sandbox toolchain science"):
            sandbox.run(Job(Program("", toolchain="science")))
        with pytest.raises(MissingExtra, match="envhub sandbox toolchain science"):
            sandbox.open(Setting(toolchain="science"))
        assert "envhub sandbox toolchain science" in (Sessions(sandbox=sandbox, toolchain="science").absent() or "")
        assert Sessions(sandbox=sandbox).absent() is None


def test_messages_keep_the_toolchain_and_do_not_name_an_empty_one() -> None:
    with_it, without = Job(Program("1", toolchain="science")), Job(Program("1"))
    assert plain.to_job(plain.from_job(with_it)) == with_it
    assert plain.to_job(plain.from_job(without)) == without
    assert "toolchain" not in plain.from_job(without)["program"]
    assert plain.to_setting(plain.from_setting(Setting(toolchain="science"))).toolchain == "science"


def test_a_toolchain_of_other_pins_or_another_interpreter_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    python, science = jail_interpreter()[0], toolchain_named("science")
    folder = science.folder(python)
    folder.mkdir()
    assert found_toolchains(python) == {}  # not complete
    write_stamp(folder, science, python)
    assert found_toolchains(python) == {"science": folder}
    assert setup_toolchain("science", python) == folder  # found again, not built again
    changed = replace(science, packages=(*science.packages, "six==1.17.0"))
    assert changed.folder(python) != folder
    other = tmp_path / "python3"
    other.write_text("#!/bin/sh\necho 3.99 x86_64\n")
    other.chmod(0o755)
    assert found_toolchains(str(other)) == {}


def test_packages_that_cannot_be_imported_are_an_error(tmp_path: Path) -> None:
    broken = Toolchain("broken", (), ("envhub_no_such_module",), {})
    with pytest.raises(EnvhubError, match="envhub_no_such_module"):
        check_imports(broken, jail_interpreter()[0], tmp_path)


def test_the_doctor_lists_it() -> None:
    command = [sys.executable, "-m", "envhub", "sandbox", "doctor", "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, check=False, text=True).stdout)
    assert set(said["toolchains"]) == set(TOOLCHAINS)
    assert said["toolchains"]["science"] == "installed" or "envhub sandbox toolchain" in said["toolchains"]["science"]

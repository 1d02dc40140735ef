"""The wheel holds everything that an installed envhub needs, and nothing that only a checkout does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.support.places import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(target),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


def test_the_wheel_holds_the_registry_as_json(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = json.loads(archive.read("envhub/registry/registry.json"))
    assert held == yaml.safe_load((ROOT / "registry.yaml").read_text())
    assert not (ROOT / "envhub" / "registry" / "registry.json").exists()


def test_the_wheel_holds_both_packages_the_start_up_line_and_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        start = archive.read("envhub-gymnasium.pth").decode()
        entry_points = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    assert {"envhub/py.typed", "envhub/__init__.py", "envhub_trainer/__init__.py"} <= names
    assert start == "import envhub._gymnasium_hook\n"
    assert "envhub = envhub.cli:main" in entry_points
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert {"envhub/scaffold/templates/single/env.py.tmpl", "envhub/envs/games/wordle/words.txt"} <= names
    assert {"envhub_trainer/recipes/guess.toml", "envhub_trainer/recipes/smollm.toml"} <= names
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


def test_an_installed_envhub_reads_its_registry_without_yaml(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        "import sys; import envhub; ids = envhub.list_envs(); env = envhub.make('sudoku-v0', difficulty=1);"
        "env.reset(seed=1); print(env.step(env.solve())[1], 'yaml' in sys.modules, envhub.__file__, *ids)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    reward, loaded_yaml, place, *ids = run.stdout.split()
    assert (reward, loaded_yaml) == ("1.0", "False")
    assert place.startswith(str(tmp_path))
    assert "guess-number-v0" in ids


def pythons() -> list[str]:
    """An interpreter of each Python from 3.11 on that this machine has, from the path or pyenv."""
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    names = [f"python3.{minor}" for minor in range(11, 20)]
    found: dict[str, str] = {}
    for name in names:
        for python in filter(None, (*map(str, sorted(homes.glob(f"*/bin/{name}"))), shutil.which(name))):
            if name not in found and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
                found[name] = python
    return list(found.values())


@pytest.mark.nightly
@pytest.mark.parametrize("python", pythons(), ids=lambda python: Path(python).name)
def test_a_stranger_installs_the_wheel_and_sees_the_demo_pass(python: str, wheel: Path, tmp_path: Path) -> None:
    """In an empty environment, with the packages of the index that pip is set up for."""
    subprocess.run([python, "-m", "venv", str(tmp_path / "venv")], check=True)
    commands = tmp_path / "venv" / "bin"
    install = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ENVHUB_"))}
    demo = [str(commands / "envhub"), "demo"]
    run = subprocess.run(demo, cwd=tmp_path, env=kept, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "passed" in run.stdout
    lines = re.findall(r"^\d+/\d+ \S+-v\d+$", run.stdout, re.MULTILINE)
    assert len(lines) > 20  # its progress is seen in a file as well

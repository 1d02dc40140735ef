"""``envhub new``: what it writes is an environment that keeps the whole contract, and nothing is ever overwritten."""

from __future__ import annotations

import ast
import json
import keyword
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner, Result

import envhub
from envhub.audit import CHECKS
from envhub.cli import app
from envhub.core.errors import InvalidParameters
from envhub.scaffold import KINDS, Made, write
from tests.support.installing import Place
from tests.support.places import TESTS

SERVED: Final = """
import sys
import envhub
from envhub.evaluation.demo import serving

id, source = sys.argv[1:]
assert envhub.spec(id).source == source
with serving() as url, envhub.connect(url) as hub:
    assert id in hub.list_envs()
    remote, mirror = hub.make(id, difficulty=4), envhub.make(id, difficulty=4)
    assert remote.reset(seed=9) == mirror.reset(seed=9)
    ended = False
    while not ended:
        action = mirror.solve()
        told = remote.step(action)
        assert told == mirror.step(action)
        ended = told[2] or told[3]
    print(told[1])
"""

MUTATIONS: Final = {
    "single": [
        ("if wrong:", "if False:"),
        ("least = 1 <= value <= prod(divisor for divisor, _ in remainders)", "least = True"),
        ("return sorted(content[", "return list(content["),
    ],
    "value": [
        ('% problem["modulus"])\n', '% (problem["modulus"] + 1))\n'),
        ("return [sorted(content[", "return [list(content["),
        ('"modulus": rng.between(', '"modulus": __import__("random").randint('),
    ],
    "cells": [
        ("for pair in ((a, d), (b, c))", "for pair in ((a, d), (a, d))"),
        ("return relabelled(super().outline(content, turn))", "return super().outline(content, turn)"),
        ("rng=rng", 'rng=Stream(b"fixed")'),
    ],
    "graph": [
        ("or any(between in graph.near[other] for between in graph.near[one])", ""),
        ("            if _are_close(graph, one, other):\n", "            if False:\n"),
        ("return len(witness)", "return len(witness) + 1"),
    ],
    "game": [
        ("right = value == inst.key", "right = True"),
        ("{'yes' if carried else 'no'}", "{'no' if carried else 'yes'}"),
        ('f"It was not {value}."', 'f"It was {inst.key}."'),
    ],
    "tool": [
        ('right = shelf == inst.key["shelf"]', "right = True"),
        ('(box, start) == (inst.problem["box"], state)', "start == state"),
        ("rng.shuffle(records)", "__import__('random').shuffle(records)"),
    ],
}
"""What breaks an environment of each kind; its own tests must say so."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("place"))


@pytest.fixture(scope="module")
def fresh(place: Place, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    """A package of each kind, installed beside each other."""
    folder = tmp_path_factory.mktemp("packages")
    made = {kind: write(f"fresh-{kind}", kind, folder / kind) for kind in KINDS}
    wanted = " ".join(f"-e './{kind}[test]'" for kind in made)
    installed = place.run(f"python -m pip install --quiet {wanted}", folder)
    assert installed.returncode == 0, installed.stdout
    return made


@pytest.fixture(scope="module")
def contract(place: Place, fresh: dict[str, Made]) -> CompletedProcess[str]:
    """The registry suite over all of them."""
    ids = ",".join(made.id for made in fresh.values())
    return place.run(
        ["python", "-m", "pytest", "tests/registry/test_contract.py", "--envs", ids, "-p", "no:cacheprovider"],
        TESTS.parent,
    )


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


# -- what is written works ---------------------------------------------------------------------------------------------


DAILY = {"cells", "tool"}  # tests/house/test_contributing.py does the same for "value"; the others are nightly


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in DAILY else [pytest.mark.nightly]) for kind in KINDS]
)
def test_a_new_package_is_listed_served_and_keeps_the_contract(
    kind: str, place: Place, fresh: dict[str, Made], contract: CompletedProcess[str], tmp_path: Path
) -> None:
    made = fresh[kind]
    own = place.run("python -m pytest -p no:cacheprovider", made.root)
    assert own.returncode == 0, own.stdout
    assert "skipped" not in own.stdout

    listed = json.loads(place.run("envhub list --json", tmp_path).stdout)
    (line,) = (line for line in listed if line["id"] == made.id)
    assert (line["source"], line["error"]) == (made.name, None)

    served = place.run(["python", "-c", SERVED, made.id, made.name], tmp_path)
    assert (served.returncode, served.stdout) == (0, "1.0\n"), served.stdout

    assert contract.returncode == 0, contract.stdout
    each, golden = len(CHECKS) + 2, 3  # its golden digests are its own affair
    assert f"{each * len(fresh)} passed, {golden * len(fresh)} skipped" in contract.stdout

    module = made.root / "src" / f"fresh_{kind}" / "env.py"
    whole = module.read_text()
    assert whole.startswith(f'"""{made.id}: {line["description"]}\n')
    for old, new in MUTATIONS[kind]:
        assert whole.count(old) == 1, old
        module.write_text(whole.replace(old, new))
        broken = place.run("python -B -m pytest -x -p no:cacheprovider", made.root, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        assert (broken.returncode, "1 failed" in broken.stdout) == (1, True), f"{old} -> {new}\n{broken.stdout}"
    module.write_text(whole)


@pytest.mark.slow
def test_what_is_written_is_as_ruff_and_mypy_want_it(place: Place, tmp_path: Path) -> None:
    for tool in ("ruff", "mypy"):
        pytest.importorskip(tool, reason="comes with the extra dev")
    for kind in KINDS:
        for name, id in ((f"x-{kind}", None), (f"{kind}-{'l' * 40}"[:40], f"{kind}-{'l' * 60}"[:46] + "-v10")):
            made = write(name, kind, tmp_path / name, id)
            for command in (
                "ruff check --no-cache .",
                "ruff format --no-cache --check .",
                f"mypy --cache-dir {tmp_path / 'cache'} --python-executable {sys.executable}",
            ):
                done = place.run(f"'{sys.executable}' -m {command}", made.root)
                assert done.returncode == 0, f"{command}\n{done.stdout}"


@pytest.mark.slow
@given(
    name=st.from_regex(r"[a-z]{1,6}(-[a-z0-9]{1,6}){0,3}", fullmatch=True)
    | st.sampled_from(["params", "world", "final", "a", "match", "verdict", "exception", "any-thing", "word"]),
    kind=st.sampled_from(sorted(KINDS)),
)
def test_every_name_that_is_taken_gives_a_package(
    tmp_path_factory: pytest.TempPathFactory, name: str, kind: str
) -> None:
    try:
        made = write(name, kind, tmp_path_factory.mktemp("made") / "package")
    except InvalidParameters:
        assert keyword.iskeyword(name) or keyword.iskeyword(name.capitalize()) or find_spec(name.replace("-", "_"))
        return
    for file in made.files:
        text = (made.root / file).read_text()
        assert "{{" not in text
        if file.endswith(".py"):
            ast.parse(text)
    project = tomllib.loads((made.root / "pyproject.toml").read_text())["project"]
    assert project["name"] == name
    ((id, entry),) = project["entry-points"]["envhub.environments"].items()
    module, _, cls = entry.partition(":")
    tree = ast.parse((made.root / "src" / f"{module.replace('.', '/')}.py").read_text())
    assert id == f"{name}-v0" == made.id
    bound = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    bound += [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert bound.count(cls) == 1  # a class that hid Params or World would break the rest


def test_a_package_states_what_it_needs_and_that_it_has_no_licence(tmp_path: Path) -> None:
    made = write("word-chain", "game", tmp_path / "x", "chain-of-words-v3")
    project = tomllib.loads((made.root / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == [f"envhub>={envhub.__version__}"]
    assert project["requires-python"] == ">=3.11"
    assert any(needed.startswith("pytest") for needed in project["optional-dependencies"]["test"])
    readme = (made.root / "README.md").read_text()
    assert "No licence" in readme
    assert "`chain-of-words-v4`" in readme
    assert not list(made.root.rglob("LICENSE*"))
    assert set(made.files) == {str(p.relative_to(made.root)) for p in made.root.rglob("*") if p.is_file()}


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("WordChain", "Did you mean 'word-chain'?"),
        ("word_chain", "Did you mean 'word-chain'?"),
        ("Word Chain!", "Did you mean 'word-chain'?"),
        ("word-chain-", "Did you mean 'word-chain'?"),
        ("2048", "Did you mean 'env-2048'?"),
        ("../evil", "Did you mean 'evil'?"),
        ("", "Did you mean 'my-task'?"),
        ("été", "Did you mean 'ete'?"),
        ("w" * 41, f"Did you mean '{'w' * 40}'?"),
        ("class", "Did you mean 'class-env'?"),
        ("none", "Did you mean 'none-env'?"),
        ("json", "Did you mean 'json-env'?"),
        ("numpy", "Did you mean 'numpy-env'?"),
        ("envhub", "Did you mean 'envhub-env'?"),
        ("tests", "Did you mean 'tests-env'?"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_and_the_nearest_named(name: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters) as error:
        write(name, root=tmp_path / "x")
    assert hint in str(error.value)
    assert not (tmp_path / "x").exists()
    suggested = str(error.value).rpartition("Did you mean '")[2].partition("'")[0]
    write(suggested, root=tmp_path / "y")  # what is suggested can be used


@pytest.mark.parametrize(
    "id", ["word-chain", "Word-v0", "word-chain-v01", "word-v", "-v0", "a b-v0", "x/../y-v0", "v0"]
)
def test_an_id_that_cannot_be_used_is_refused(id: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="An id is like"):
        write("word-chain", root=tmp_path / "x", id=id)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(("name", "id"), [("sudoku", None), ("word-chain", "maze-v0")])
def test_an_id_that_is_taken_is_refused_and_a_free_one_named(name: str, id: str | None, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=r"is taken; give another with --id, such as 'my-\w+-v0'") as error:
        write(name, root=tmp_path / "x", id=id)
    free = str(error.value).rpartition("such as '")[2].partition("'")[0]
    assert write(name, root=tmp_path / "x", id=free).id == free


def test_what_a_directory_holds_is_never_overwritten(tmp_path: Path) -> None:
    for content in ("README.md", ".git"):
        root = tmp_path / content.strip(".")
        root.mkdir()
        (root / content).write_text("mine")
        with pytest.raises(InvalidParameters, match="not empty"):
            write("word-chain", root=root)
        assert [(p.name, p.read_text()) for p in root.iterdir()] == [(content, "mine")]
    (tmp_path / "file").write_text("mine")
    for root in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InvalidParameters, match="cannot be written"):
            write("word-chain", root=root)
    assert (tmp_path / "file").read_text() == "mine"


def test_an_empty_directory_is_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert (write("word-chain", root=tmp_path / "empty").root / "pyproject.toml").is_file()


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_says_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "word-chain", "--kind", "game")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-3:] == [
        "  cd word-chain",
        "  python -m pip install -e '.[test]'",
        "  python -m pytest",
    ]
    assert (tmp_path / "word-chain" / "src" / "word_chain" / "env.py").is_file()
    again = run("new", "word-chain", "--kind", "game")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "not empty" in again.stderr


def test_the_command_speaks_json(tmp_path: Path) -> None:
    where = tmp_path / "a place"
    told = json.loads(run("new", "word-chain", "--out", str(where), "--id", "chain-v2", "--json").stdout)
    assert told["next"][0] == f"cd '{where}'"
    assert (told["id"], told["name"], told["kind"], told["path"]) == ("chain-v2", "word-chain", "single", str(where))
    assert all((where / file).is_file() for file in told["files"])


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["new"], "NAME"),
        (["new", "Word_Chain"], "Did you mean 'word-chain'?"),
        (["new", "word-chain", "--kind", "gmae"], "Did you mean 'game'?"),
        (["new", "word-chain", "--id", "sudoku-v0"], "is taken"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert hint in done.stderr
    assert not list(tmp_path.iterdir())

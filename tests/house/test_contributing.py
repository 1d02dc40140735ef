"""CONTRIBUTING.md, "An environment in twenty minutes": every block is run, in order, as a reader would.

A block of sh is run line by line in one directory, which ``cd`` changes; a line that ends in ``# fails`` must fail. A block
of Python whose first line names a file changes that file: a function or an attribute takes the place of the one of its name,
or is added.
Any other block of Python is run.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.support.installing import Place
from tests.support.places import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Part = ast.FunctionDef | ast.Assign


def section() -> str:
    (found,) = re.findall(r"^## An environment in twenty minutes\n(.*?)^## ", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def lines_of(part: Part) -> slice:
    decorators = part.decorator_list if isinstance(part, ast.FunctionDef) else []
    return slice(min([part.lineno, *(decorator.lineno for decorator in decorators)]) - 1, part.end_lineno)


def parts(code: str) -> dict[str, Part]:
    """Functions and assignments by name; of two with one name the last."""
    found: dict[str, Part] = {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def changed(old: str, block: str) -> str:
    """A module with the functions and the class attributes of a block in it."""
    block = dedent(block)
    for node in ast.parse(block).body:
        assert isinstance(node, Part)
        (name,) = parts(ast.unparse(node)).keys() if isinstance(node, ast.Assign) else [node.name]
        new = "\n".join(block.splitlines()[lines_of(node)])
        found = parts(old).get(name)
        lines = old.splitlines()
        if found is None:
            lines += ["", "", new]
        else:
            lines[lines_of(found)] = indent(new, " " * found.col_offset).splitlines()
        old = "\n".join(lines) + "\n"
    return old


def follow(text: str, place: Place, where: Path) -> list[str]:
    """Do what a text says; what was done."""
    done = []
    for step in _BLOCK.finditer(text):
        language, block = step.groups()
        first, _, rest = block.partition("\n")
        if language == "sh":
            for line in block.splitlines():
                if line.startswith("cd "):
                    where = where / line.removeprefix("cd ")
                    assert where.is_dir()
                    continue
                run = place.run(line, where, PYTHONDONTWRITEBYTECODE="1")
                assert (run.returncode != 0) == line.endswith("# fails"), f"{line}\n{run.stdout}"
                done.append(line)
        elif first.startswith("# ") and first.endswith(".py"):
            file = where / first.removeprefix("# ")
            file.write_text(changed(file.read_text(), rest))
            done.append("change")
        else:
            assert language == "python"
            run = place.run(["python", "-c", block], where)
            assert run.returncode == 0, f"{block}\n{run.stdout}"
            done.append("run")
    return done


@pytest.mark.slow
def test_twenty_minutes_are_enough(tmp_path: Path) -> None:
    done = follow(section(), Place(tmp_path / "place"), tmp_path)
    assert [step.partition(" ")[0] for step in done] == [
        *("envhub", "python", "python"),
        "change",
        "python",
        "change",
        *("python", "envhub"),
        "run",
    ]


def test_a_function_or_an_attribute_takes_the_place_of_its_namesake() -> None:
    old = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    new = changed(old, "    def f(self):\n        return 3\n")
    assert new == old.replace("return 1", "return 3")
    assert changed(old, "def h():\n    pass\n").startswith(old)
    attribute = "class A:\n    a = 1\n    b = (\n        2\n    )\n"
    assert changed(attribute, "    b = [\n        3\n    ]\n") == attribute.replace("(", "[").replace(")", "]").replace(
        "2", "3"
    )

"""Creates a package for a new environment: rules, tests, README, entry point.

The package contains a complete environment that passes the audit, to be changed step by step. Existing files are never
overwritten::

    made = write("word-chain", kind="game")
    made.root, made.id           # Path("word-chain"), "word-chain-v0"

The files come from ``templates/``: ``{{word}}`` stands for one of :func:`_words`.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import unicodedata
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from envhub import __version__
from envhub.core.errors import InvalidParameters, nearest
from envhub.registry.registry import list_envs

__all__ = ["KINDS", "Made", "write"]

KINDS: Final = {
    "single": "one question, one answer",
    "value": "a member of the family Value: one exact value, in many wordings",
    "cells": "a member of the family Cells: a grid puzzle with one solution",
    "graph": "a member of the family GraphTask: a best set, path or tree in a graph",
    "game": "many turns with hidden state",
    "tool": "many turns with tools",
}

_MAX_NAME: Final = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_ID = re.compile(rf"{_NAME.pattern}-v(?:0|[1-9][0-9]{{0,3}})")
_RESERVED: Final = frozenset({"conftest", "envhub", "test", "tests", "trainer"})
_TEMPLATES: Final = Path(__file__).parent / "templates"
_WORD = re.compile(r"\{\{(\w+)\}\}")

_ABOUT: Final = {
    "single": "find a whole number from its remainders.",
    "value": "find the remainder of a product of whole numbers.",
    "cells": "complete a Latin square whose diagonal neighbors differ.",
    "graph": "find a largest set of nodes that are far apart.",
    "game": "find who did it, by asking what they carried.",
    "tool": "follow a box through the records of a warehouse.",
}
_STEPS: Final = {
    "single": (
        "`sample`: draws a problem and its key",
        "`canonical`: what makes two problems the same; the splits rest on it",
        "`prompt`: the problem in words",
        "`answer` and `grade`: what is asked for, and when it is right",
        "`solve`: the oracle",
    ),
    "value": (
        "`task`, `rules` and `note`: the sentences, each in at least three phrasings and a held-out one",
        "`data`: renderings of the problem",
        "`draw`: draws a problem",
        "`value`: the answer; `slips`: answers of usual mistakes",
        "`canonical`: what makes two problems the same; the splits rest on it",
    ),
    "cells": (
        "`task` and `rules`: the sentences, each in at least three phrasings and a held-out one",
        "`draw`: draws the fixed part and a solution",
        "`domains`: the values that each cell may have",
        "`laws`: what always holds; `clues` and `clue`: what is true of one solution",
        "`outline`: what makes two solutions the same; the splits rest on it",
    ),
    "graph": (
        "`task` and `rules`: the sentences, each in at least three phrasings and a held-out one",
        "`answer`: what is asked for; `worth`: its value, or the rule that it breaks",
        "`shape`: how a graph is drawn; connected by default",
        "`search`: finds the best answer and proves it; `heuristics`: find good ones",
    ),
    "game": (
        "`sample` and `begin`: draw a problem with its hidden part; the state in which it starts",
        "`prompt`: the rules in words",
        "`answer` and `act`: what an action is, and what it leads to; `reject`: what an unreadable one does",
        "`solve` and `random_action`: the oracle, and one who knows nothing",
    ),
    "tool": (
        "`sample` and `begin`: draw a problem with its hidden part; the state in which it starts",
        "`canonical`: what makes two problems the same; the splits rest on it",
        "`prompt`: the task in words",
        "the methods marked `@tool`: their type hints and docstrings are what the policy is told",
        "`solve` and `random_action`: the oracle, and one who knows nothing",
    ),
}


@dataclass(frozen=True)
class Made:
    """A created package.

    Attributes:
        name: Name of the distribution.
        id: Id of its environment.
        kind: One of :data:`KINDS`.
        root: Its directory.
        files: Files written, relative to ``root``.
    """

    name: str
    id: str
    kind: str
    root: Path
    files: tuple[str, ...]


def write(name: str, kind: str = "single", root: Path | None = None, id: str | None = None) -> Made:
    """Create the package of a new environment.

    Args:
        name: Name of the distribution, ``word-chain``; module ``word_chain`` and class ``WordChain`` are named after
            it.
        kind: One of :data:`KINDS`.
        root: Output directory, created if missing. Defaults to ``name`` in the working directory.
        id: Id of the environment. Defaults to ``NAME-v0``.

    Raises:
        InvalidParameters: The name, kind or id is invalid, or the directory is not empty or not writable.
    """
    if kind not in KINDS:
        raise InvalidParameters(f"No kind {kind!r}; there are {', '.join(KINDS)}.{nearest(kind, KINDS)}")
    words = _words(_checked_name(name), _checked_id(f"{name}-v0" if id is None else id), kind)
    files = {path: _filled(template, words) for path, template in _layout(kind, words["module"]).items()}
    root = Path(name) if root is None else root
    try:
        if root.is_dir() and any(root.iterdir()):
            raise InvalidParameters(f"{str(root)!r} is not empty, and nothing is overwritten; give another with --out.")
        for path, text in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise InvalidParameters(f"{str(root)!r} cannot be written: {error.strerror}.") from None
    return Made(name, words["id"], kind, root, tuple(files))


def _layout(kind: str, module: str) -> dict[str, str]:
    """All files of a package with their templates."""
    return {
        "pyproject.toml": "common/pyproject.toml",
        "README.md": "common/README.md",
        ".gitignore": "common/gitignore",
        f"src/{module}/__init__.py": "common/__init__.py",
        f"src/{module}/env.py": f"{kind}/env.py",
        "tests/test_env.py": f"{kind}/test_env.py",
    }


def _filled(template: str, words: dict[str, str]) -> str:
    text = (_TEMPLATES / f"{template}.tmpl").read_text(encoding="utf-8")
    return _WORD.sub(lambda found: words[found[1]], text)


def _words(name: str, id: str, kind: str) -> dict[str, str]:
    """Replacements for ``{{word}}`` in templates."""
    words = {"name": name, "id": id, "module": name.replace("-", "_"), "version": __version__, "about": _ABOUT[kind]}
    stem, _, number = id.rpartition("-v")
    words["next_id"] = f"{stem}-v{int(number) + 1}"
    words["steps"] = "\n".join(f"| | {step} |" for step in _STEPS[kind])
    camel = "".join(part.capitalize() for part in name.split("-"))
    taken = {*dir(builtins), *_names(_filled(f"{kind}/env.py", {**words, "class": "_"}))}
    taken |= _names(_filled(f"{kind}/test_env.py", {**words, "class": "_"}))
    words["class"] = f"{camel}Env" if camel in taken else camel
    return words


def _names(code: str) -> set[str]:
    """All names that a module uses or binds."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
        elif isinstance(node, ast.ClassDef):
            found.add(node.name)
    return found


def _checked_name(name: str) -> str:
    suggestion = _valid(name)
    hint = f" Did you mean {suggestion!r}?" if suggestion != name else ""
    if not _NAME.fullmatch(name):
        raise InvalidParameters(
            f"A name is like 'word-chain': lower-case letters, digits and hyphens, a letter first; got {name!r}.{hint}"
        )
    if len(name) > _MAX_NAME:
        raise InvalidParameters(f"A name has at most {_MAX_NAME} characters, {name!r} has {len(name)}.{hint}")
    if _is_python(name):
        raise InvalidParameters(f"The name {name!r} means something else to Python, to pytest or to envhub.{hint}")
    if (found := _installed(name)) is not None:
        raise InvalidParameters(f"The name {name!r} is taken: there is a module at {found}.{hint}")
    return name


def _valid(name: str) -> str:
    """The nearest valid name."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name) if name != name.upper() else name
    plain = unicodedata.normalize("NFKD", snake).encode("ascii", "ignore").decode()  # letters without accents
    near = "-".join(re.findall(r"[a-z0-9]+", plain.lower()))[:_MAX_NAME].rstrip("-")
    near = re.sub(r"-v[0-9]+$", "", near)
    if not near:
        return "my-task"
    near = near if near[0].isalpha() else f"env-{near}"
    return f"{near}-env" if _is_python(near) or _installed(near) is not None else near


def _is_python(name: str) -> bool:
    """Whether a name is a keyword or conflicts with the tooling.

    The name of a module or class.
    """
    class_name = "".join(part.capitalize() for part in name.split("-"))
    return keyword.iskeyword(name) or keyword.iskeyword(class_name) or name in _RESERVED


def _installed(name: str) -> str | None:
    """Where Python would find a module of this name.

    A bare directory does not count.
    """
    try:
        found = find_spec(name.replace("-", "_"))
    except (ImportError, ValueError):
        return None
    return None if found is None else found.origin


def _checked_id(id: str) -> str:
    if not _ID.fullmatch(id) or len(id) > _MAX_NAME + 10:
        raise InvalidParameters(
            f"An id is like 'word-chain-v0': a name, then -v and a number; at most {_MAX_NAME + 10} characters; got {id!r}."
            f" Did you mean {_valid(id) + '-v0'!r}?"
        )
    known = list_envs()
    if id in known:
        free = next(other for n in range(len(known) + 1) if (other := f"my-{'my-' * n}{id}") not in known)
        raise InvalidParameters(f"The id {id!r} is taken; give another with --id, such as {free!r}.")
    return id

"""Checks prose: ``python tests/house/plain_english.py``, part of ``make lint``.

It finds the phrases of ``phrases.txt`` in docs, docstrings and errors, and docstrings whose first line is too long.
Transcripts, the changelog and what policies read are left out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeGuard

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MOST_PHRASES: Final = 40
MOST_WORDS: Final = 12  # of a docstring's first line
PAGES: Final = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "deploy/*.md")
MODULES: Final = ("envhub/**/*.py", "trainer/**/*.py", "envhub_verifiers/*.py")
LEFT_OUT: Final = ("docs/transcripts.md", "envhub/envs/code/repo_repair/library/")
_CODE: Final = re.compile(r"``.*?``|`[^`]*`")


class Phrase(NamedTuple):
    """A phrase to avoid, and what to write instead."""

    pattern: re.Pattern[str]
    instead: str


def phrases(text: str) -> list[Phrase]:
    """The list, read from its file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Phrase(re.compile(pattern), instead) for pattern, instead in (line.split("\t") for line in lines)]


def prose(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings and the texts of errors of a module, line by line."""
    for node in _nodes(source):
        if isinstance(node, ast.Raise) and node.exc is not None:
            for part in ast.walk(node.exc):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from enumerate(node.value.value.splitlines(), node.value.lineno)


def long_summaries(source: str) -> Iterator[tuple[int, int]]:
    """Line and number of words of each docstring whose first line is too long.

    Words are separated by white space. Code in backticks is one word.
    """
    for node in _nodes(source):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or _is_tool(node):
            continue
        words = len(_CODE.sub("code", (ast.get_docstring(node) or "").partition("\n")[0]).split())
        if words > MOST_WORDS:
            yield node.body[0].lineno, words


def _nodes(source: str) -> Iterator[ast.AST]:
    """Every node of a module but the docstrings of tools, which are part of prompts."""
    tree = ast.parse(source)
    tools = {id(node.body[0]) for node in ast.walk(tree) if _is_tool(node)}
    return (node for node in ast.walk(tree) if id(node) not in tools)


def _is_tool(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(each).partition("(")[0] == "tool" for each in node.decorator_list
    )


def found(lines: Iterator[tuple[int, str]], listed: list[Phrase]) -> Iterator[tuple[int, str, str]]:
    """Line, phrase and what to write instead; what is quoted as code does not count."""
    for number, line in lines:
        plain = _CODE.sub("", line)
        for pattern, instead in listed:
            for match in pattern.finditer(plain):
                yield number, match[0], instead


def main() -> int:
    """Print what is found; 1 if anything is."""
    listed = phrases((HERE / "phrases.txt").read_text())
    bad = 0
    for glob in (*PAGES, *MODULES):
        for path in sorted(ROOT.glob(glob)):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(LEFT_OUT):
                continue
            text = path.read_text()
            lines = prose(text) if path.suffix == ".py" else iter(enumerate(text.splitlines(), 1))
            for number, phrase, instead in found(lines, listed):
                print(f"{name}:{number}: {phrase!r}: write {instead}")
                bad += 1
            for number, words in long_summaries(text) if path.suffix == ".py" else ():
                print(f"{name}:{number}: the first line has {words} words: write at most {MOST_WORDS}")
                bad += 1
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Finds statements without effect, and settles programs.

Runs in the jail. A statement is dead if the program without it gives the same results on all sampled arguments; so texts
and steps that only pad a program are found. The settled form is what a solver is shown: no name can carry a message.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from envhub.envs.code.proposer.execution import Bench, Purse
from envhub.envs.code.proposer.language import FUNCTIONS, Refused

MAX_STATEMENTS: Final = 40


def dead_statement(tree: ast.Module, samples: list[tuple[list[Any], str]], purse: Purse) -> str | None:
    """The first statement without which nothing changes; None if every one matters.

    Args:
        tree: The program.
        samples: Arguments with the text of their result. The first ones should differ much.
        purse: The steps are paid from it.

    Raises:
        Refused: There are too many statements.
    """
    count = sum(1 for _ in _bodies(tree))
    if count > MAX_STATEMENTS:
        raise Refused(f"The program has more than {MAX_STATEMENTS} statements.")
    without = deepcopy(tree)
    for body, at in list(_bodies(without)):
        removed = body[at]
        body[at] = ast.Pass()
        other = Bench(without, purse)
        body[at] = removed
        if all(other.run(arguments).text == text for arguments, text in samples):
            return ast.unparse(removed).partition("\n")[0]
    return None


def _bodies(tree: ast.Module) -> Iterator[tuple[list[ast.stmt], int]]:
    """Every statement, as its list and its place there."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from ((body, at) for at, each in enumerate(body))


def renamed(tree: ast.Module) -> str:
    """The program with names ``v1``, ``v2``, ...; ``f`` keeps its name."""
    names: dict[str, str] = {"f": "f"}
    settled = deepcopy(tree)
    for node in ast.walk(settled):
        for field in ("name", "arg", "id"):
            name = getattr(node, field, None)
            if isinstance(name, str) and not isinstance(node, ast.keyword) and name not in FUNCTIONS:
                setattr(node, field, names.setdefault(name, f"v{len(names)}"))
    return ast.unparse(settled)

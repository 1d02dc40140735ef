"""Expressions in the grammar of a game, evaluated without Python.

TextWorld evaluates what stands in braces in a grammar as Python. A game file is data, so here such an expression may only have
names with an attribute, texts, ``+`` and ``or``, which is what ALFWorld's own grammar has, and nothing else is evaluated::

    evaluated("o.indefinite + ' ' + o.name", {"o": apple})         # "a apple 1"
    fault('"rhs": "{__import__(1)}"')                              # why it is refused
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_BRACED: Final = re.compile(r"\{([^{}\n]*)\}")
_NAME: Final = r"[a-z][a-z0-9]{0,15}(?:\.(?:name|id|indefinite|definite))?"
_TEXT: Final = r"'[A-Za-z0-9 ,.:;()/-]*'"
_SAFE: Final = re.compile(rf"\s*(?:{_NAME}|{_TEXT})(?:\s*(?:\+|or)\s*(?:{_NAME}|{_TEXT}))*\s*")
_PART: Final = re.compile(rf"{_TEXT}|\+|{_NAME}")
_SYMBOL: Final = re.compile(r"\s*#[A-Za-z_.-]+(?:\([a-z0-9, ]*\))?#\s*")


def fault(grammar: str) -> str | None:
    """Why a grammar is refused; None if it is accepted."""
    for expression in _BRACED.findall(grammar):
        said, _, _ = expression.partition("|")  # what follows is a query of facts, which is not evaluated
        if not (_SAFE.fullmatch(said) or _SYMBOL.fullmatch(said)):
            return f"its grammar has the expression {said.strip()!r:.80}, which is not of names, texts, + and or"
    return None


def evaluated(expression: str, variables: Mapping[str, Any]) -> str:
    """The value of an expression.

    Raises:
        ValueError: It is not of names, texts, ``+`` and ``or``.
    """
    if not _SAFE.fullmatch(expression):
        raise ValueError(f"{expression!r:.80} is not of names, texts, + and or")
    for alternative in re.split(r"\s+or\s+", expression.strip()):
        value = "".join(_valued(part, variables) for part in _PART.findall(alternative) if part != "+")
        if value:
            return value
    return ""


def _valued(part: str, variables: Mapping[str, Any]) -> str:
    if part.startswith("'"):
        return part[1:-1]
    name, _, attribute = part.partition(".")
    if name not in variables:
        raise ValueError(f"{name!r} is not a variable of the rule")
    value = variables[name]
    return str(getattr(value, attribute) or "") if attribute else str(value.name)

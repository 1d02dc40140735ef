"""A line of the rules section, read into a :class:`~envhub.generators.rewriting.syntax.Rule`.

::

    read_rule(12, "late [ Player | ... | Crate ] -> [ | ... | ] again", {"player", "crate"}, None)
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from envhub.core.errors import nearest
from envhub.generators.rewriting.syntax import (
    ABSOLUTE,
    COMMANDS,
    ELLIPSIS,
    GAP,
    GROUPS,
    MOVEMENTS,
    RELATIVE,
    Cell,
    PuzzleError,
    Row,
    Rule,
    Term,
)

_TOKEN: Final = re.compile(r"\[|\]|\||->|\.\.\.|\+(?=\s)|[^\s\[\]|]+")
_SOUND: Final = re.compile(r"sfx(10|[0-9])")
_MOST_CELLS: Final = 12


def read_rule(line: int, text: str, names: Collection[str], before: Rule | None) -> Rule:
    """Read a rule.

    Args:
        line: Its line in the file.
        text: The line, without comments.
        names: All defined names.
        before: The rule before it, whose group a ``+`` continues.

    Raises:
        PuzzleError: It is not a rule of the supported subset.
    """
    message = ""
    found = re.search(r"(?i)(?<=[\s\]])message\b", text)
    if found:
        text, message = text[: found.start()] + "message", text[found.end() :].strip()
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    if tokens.count("->") != 1:
        raise PuzzleError(line, f"a rule must have exactly one '->', got {tokens.count('->')}.")
    arrow = tokens.index("->")
    opening = tokens.index("[") if "[" in tokens[:arrow] else arrow
    late, group, directions = _prefix(line, tokens[:opening], before)
    left = _rows(line, tokens[opening:arrow], names)
    if not left:
        raise PuzzleError(line, "a rule must have a cell in brackets before '->'.")
    end = max((at for at, token in enumerate(tokens) if token == "]" and at > arrow), default=arrow)
    right = _rows(line, tokens[arrow + 1 : end + 1], names)
    commands = _commands(line, tokens[end + 1 :])
    if right or not (commands or message or len(tokens) > end + 1):
        _check_shape(line, left, right)
    if late:
        for term in (term for row in (*left, *right) for cell in row for term in cell):
            if term.how not in ("", "no"):
                raise PuzzleError(line, f"a late rule has no movements, got {term.how!r}.")
    if not _directional(left, right):
        directions = directions[:1]
    return Rule(line, group, late, directions, left, right, commands, message, " ".join(text.split()))


def _prefix(line: int, words: list[str], before: Rule | None) -> tuple[bool, int, tuple[str, ...]]:
    late, group, directions = False, line, []
    for at, word in enumerate(words):
        if word == "+" and at == 0:
            if before is None:
                raise PuzzleError(line, "'+' joins a rule to the rule before it, but this is the first rule.")
            group = before.group
        elif word == "late":
            late = True
        elif word in ABSOLUTE:
            directions.append(word)
        elif word in GROUPS and word != "moving":
            directions += GROUPS[word]
        else:
            supported = ("late", "+", *ABSOLUTE, "horizontal", "vertical", "orthogonal")
            raise PuzzleError(line, f"{word!r} cannot begin a rule, or is not supported.{nearest(word, supported)}")
    if before is not None and group == before.group and late != before.late:
        raise PuzzleError(line, "rules joined by '+' must all be late, or none of them.")
    return late, group, tuple(dict.fromkeys(directions)) or ABSOLUTE


def _rows(line: int, tokens: list[str], names: Collection[str]) -> tuple[Row, ...]:
    rows: list[Row] = []
    cells: list[Cell] = []
    terms: list[Term] = []
    how: str | None = None
    inside = False

    def close() -> None:
        nonlocal terms, how
        if how is not None:
            raise PuzzleError(line, f"the movement {how!r} must stand before an object.")
        if any(term.name == ELLIPSIS for term in terms) and len(terms) > 1:
            raise PuzzleError(line, "'...' must stand alone in its cell.")
        cells.append(tuple(terms))
        terms = []

    for token in tokens:
        if not inside:
            if token != "[":
                raise PuzzleError(line, f"expected '[', got {token!r}.")
            inside = True
        elif token == "[":
            raise PuzzleError(line, "'[' inside of brackets; close them with ']' first.")
        elif token == "|":
            close()
        elif token == "]":
            close()
            _check_row(line, cells)
            rows.append(tuple(cells))
            cells, inside = [], False
        elif token == ELLIPSIS:
            terms.append(Term("", ELLIPSIS))
        elif token in MOVEMENTS:
            if how is not None:
                raise PuzzleError(line, f"two movements for one object: {how!r} and {token!r}.")
            how = token
        elif token in names:
            if any(term.name == token for term in terms):
                raise PuzzleError(line, f"{token!r} appears twice in a cell.")
            terms.append(Term(how or "", token))
            how = None
        else:
            raise PuzzleError(line, f"unknown or unsupported word {token!r}.{nearest(token, [*names, *MOVEMENTS])}")
    if inside:
        raise PuzzleError(line, "a bracket '[' is not closed by ']'.")
    return tuple(rows)


def _check_row(line: int, cells: list[Cell]) -> None:
    if len(cells) > _MOST_CELLS:
        raise PuzzleError(line, f"a row of a rule has at most {_MOST_CELLS} cells.")
    gaps = cells.count(GAP)
    if gaps > 1:
        raise PuzzleError(line, "more than one '...' in a row is not supported.")
    if gaps and (cells[0] == GAP or cells[-1] == GAP):
        raise PuzzleError(line, "'...' must stand between two cells.")


def _check_shape(line: int, left: tuple[Row, ...], right: tuple[Row, ...]) -> None:
    if [len(row) for row in left] != [len(row) for row in right]:
        raise PuzzleError(line, "both sides of '->' must have the same brackets with the same numbers of cells.")
    for before, after in zip(left, right, strict=True):
        if [cell == GAP for cell in before] != [cell == GAP for cell in after]:
            raise PuzzleError(line, "'...' must stand at the same place on both sides of '->'.")


def _commands(line: int, words: list[str]) -> tuple[str, ...]:
    for word in words:
        if word not in COMMANDS and not _SOUND.fullmatch(word):
            raise PuzzleError(line, f"unknown or unsupported command {word!r}.{nearest(word, COMMANDS)}")
    return tuple(word for word in words if word in COMMANDS and word != "message")


def _directional(left: tuple[Row, ...], right: tuple[Row, ...]) -> bool:
    """Whether the direction in which the rule is read matters."""
    rows = (*left, *right)
    return any(len(row) > 1 for row in left) or any(
        term.how in RELATIVE for row in rows for cell in row for term in cell
    )

"""Small changes of one place in the syntax tree of a program.

Docstrings, imports and default arguments are left alone. A change replaces a piece of one line::

    for change in changes(source):
        spoilt = change.applied(source)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

_COMPARED: Final = {
    ast.Lt: ("<", ("<=",)),
    ast.LtE: ("<=", ("<",)),
    ast.Gt: (">", (">=",)),
    ast.GtE: (">=", (">",)),
    ast.Eq: ("==", ("!=",)),
}
_COMPUTED: Final = {
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("+",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("//",)),
}
_CALLED: Final = {"min": "max", "max": "min"}
_METHODS: Final = {"startswith": "endswith", "endswith": "startswith", "strip": "lstrip", "lower": "upper"}


class Change(NamedTuple):
    """The replacement of a piece of a line.

    Attributes:
        line: Which line, from 0.
        start: Where the piece begins in it.
        old: The piece.
        new: Its replacement.
    """

    line: int
    start: int
    old: str
    new: str

    def applied(self, source: str) -> str:
        """The source with the change."""
        lines = source.split("\n")
        text = lines[self.line]
        lines[self.line] = text[: self.start] + self.new + text[self.start + len(self.old) :]
        return "\n".join(lines)


def changes(source: str) -> list[Change]:
    """All changes of these kinds, in source order."""
    lines = source.split("\n")
    found = {change for change in _found(ast.parse(source), lines) if change is not None}
    return sorted(found)


def _found(tree: ast.AST, lines: list[str]) -> Iterator[Change | None]:
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for statement in function.body:
            for node in ast.walk(statement):
                yield from _at(node, lines)


def _at(node: ast.AST, lines: list[str]) -> Iterator[Change | None]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sign, others = _COMPARED.get(type(node.ops[0]), ("", ()))
        for other in others:
            yield _between(node.left, node.comparators[0], sign, other, lines)
    elif isinstance(node, ast.BinOp):
        sign, others = _COMPUTED.get(type(node.op), ("", ()))
        for other in others:
            yield _between(node.left, node.right, sign, other, lines)
    elif isinstance(node, ast.BoolOp):
        sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield _between(node.values[0], node.values[1], sign, other, lines)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for by in (1, -1):
            if node.value + by >= 0:
                yield _instead(node, str(node.value + by), lines)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield _instead(node, str(not node.value), lines)
    elif isinstance(node, ast.UnaryOp):
        yield _instead(node, ast.unparse(node.operand), lines)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLED:
        yield _instead(node.func, _CALLED[node.func.id], lines)
    elif isinstance(node, ast.Attribute) and node.attr in _METHODS:
        yield _instead(node, f"{ast.unparse(node.value)}.{_METHODS[node.attr]}", lines)
    elif isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        one, other = (ast.unparse(arg) for arg in node.args)
        whole = f"{ast.unparse(node.func)}({other}, {one})"
        yield _instead(node, whole, lines)
    elif isinstance(node, ast.IfExp):
        yield _instead(node, ast.unparse(node.body), lines)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is None:
        yield _instead(node, ast.unparse(node.value), lines)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sorted" and node.keywords:
        yield _instead(node, f"sorted({ast.unparse(node.args[0])})", lines)


def _between(left: ast.expr, right: ast.expr, sign: str, other: str, lines: list[str]) -> Change | None:
    """An operator between two operands on one line."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return None
    line = right.lineno - 1
    at = lines[line].find(sign, left.end_col_offset, right.col_offset)
    return None if at < 0 else Change(line, at, sign, other)


def _instead(node: ast.expr, new: str, lines: list[str]) -> Change | None:
    """A replacement text for an expression on one line."""
    if node.lineno != node.end_lineno:
        return None
    line = node.lineno - 1
    old = lines[line][node.col_offset : node.end_col_offset]
    return None if old == new or not lines[line].isascii() else Change(line, node.col_offset, old, new)

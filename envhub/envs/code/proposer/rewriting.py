r"""Rewrites checked programs, so that a bench sees their operations.

Runs in the jail. Operators, calls, items and loops become calls of hooks, which
:class:`envhub.envs.code.proposer.execution.Bench` supplies. Hooks of operations are also passed
whether an operand contains a variable::

    rewritten(ast.parse("def f(n):\n    return n + 1"))      # def f(n): _t(); return _b("+", n, 1, True)
"""

from __future__ import annotations

import ast
from copy import deepcopy
from typing import Final

from envhub.envs.code.proposer.language import FUNCTIONS

IN_PLACE: Final = "="
"""In front of the sign of an augmented assignment."""
_SIGNS: Final[dict[type, str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}


def rewritten(tree: ast.Module) -> ast.Module:
    """The program with hooks in place of operations."""
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    changed: ast.Module = _Counting(functions).visit(deepcopy(tree))
    return ast.fix_missing_locations(changed)


class _Counting(ast.NodeTransformer):
    """Replaces operations by calls of the bench."""

    def __init__(self, functions: set[str]) -> None:
        self._functions = functions

    def _named(self, *nodes: ast.AST) -> ast.Constant:
        names = (name for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name))
        return ast.Constant(any(name.id not in FUNCTIONS for name in names))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_hook("_t")))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        named = self._named(node)
        self.generic_visit(node)
        return _hook("_b", ast.Constant(_SIGNS[type(node.op)]), node.left, node.right, named)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        named = self._named(node)
        self.generic_visit(node)
        return _hook("_b", ast.Constant(_SIGNS[type(node.ops[0])]), node.left, node.comparators[0], named)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Owner and index of an item are evaluated once, as Python does."""
        named, sign = self._named(node.target, node.value), ast.Constant(IN_PLACE + _SIGNS[type(node.op)])
        target, value = node.target, self.visit(node.value)
        if isinstance(target, ast.Subscript):
            seen = self._named(target)
            late = ast.Lambda(_arguments(), value)
            return ast.Expr(_hook("_u", self.visit(target.value), self._at(target.slice), seen, sign, late, named))
        read = deepcopy(target)
        read.ctx = ast.Load()
        return ast.Assign([target], _hook("_b", sign, read, value, named))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.ctx, ast.Store):
            self.generic_visit(node)
            return node
        named = self._named(node)
        return _hook("_x", self.visit(node.value), self._at(node.slice), named)

    def _at(self, at: ast.expr) -> ast.expr:
        """An index or a slice as a value."""
        if not isinstance(at, ast.Slice):
            index: ast.expr = self.visit(at)
            return index
        parts = (self.visit(part) if part else ast.Constant(None) for part in (at.lower, at.upper, at.step))
        return _hook("_s", *parts)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func
        named = self._named(*node.args, *([called.value] if isinstance(called, ast.Attribute) else []))
        args = [self.visit(given) for given in node.args]
        words = [ast.keyword(word.arg, self.visit(word.value)) for word in node.keywords]
        if isinstance(called, ast.Attribute):
            head = [self.visit(called.value), ast.Constant(called.attr), named]
            return ast.Call(ast.Name("_m", ast.Load()), [*head, *args], words)
        name = called.id if isinstance(called, ast.Name) else ""
        if name in self._functions:
            return ast.Call(called, args, words)
        return ast.Call(ast.Name("_c", ast.Load()), [ast.Constant(name), named, *args], words)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A built-in function as a key or as the function of map."""
        if node.id in FUNCTIONS and isinstance(node.ctx, ast.Load):
            given = ast.Starred(ast.Name("_v", ast.Load()), ast.Load())
            return ast.Lambda(_arguments("_v"), _hook("_c", ast.Constant(node.id), ast.Constant(True), given))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _hook("_i", node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _hook("_i", node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = _hook("_t", node.test)
        return node


def _hook(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


def _arguments(rest: str | None = None) -> ast.arguments:
    """No arguments, or any number of them under one name."""
    return ast.arguments([], [], ast.arg(rest) if rest else None, [], [], None, [])

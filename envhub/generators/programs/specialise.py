"""Specialises a function: substitutes its parameters, and prints the remaining program.

Parameters become constants, conditions on them are decided, dead code and annotations are dropped::

    def keep(xs, m, most=None):                       def keep(xs):
        kept = [x for x in xs if x % m == 0]    ->        kept = [x for x in xs if x % 3 == 0]
        if most is not None: ...                          return kept
        return kept
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Final

from envhub.generators.programs.trees import copied

_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}


def specialise(
    function: Callable[..., Any], params: Mapping[str, Any], name: str, keep: Collection[str] = ()
) -> ast.FunctionDef:
    """The definition of a function with some parameters substituted.

    Args:
        function: Our function.
        params: Values by name; other parameters take their defaults.
        name: The name of the result.
        keep: Parameters that stay parameters.
    """
    return specialised(copied(_tree_of(function)), params, name, keep)


def specialised(
    whole: ast.FunctionDef, params: Mapping[str, Any], name: str, keep: Collection[str] = ()
) -> ast.FunctionDef:
    """:func:`specialise` of a definition, which is modified."""
    defaults = dict(zip((a.arg for a in whole.args.args[::-1]), whole.args.defaults[::-1], strict=False))
    constants: dict[str, ast.expr] = {}
    free = []
    for argument in whole.args.args:
        if argument.arg in keep:
            free.append(ast.arg(argument.arg))
        elif argument.arg in params:
            constants[argument.arg] = ast.parse(repr(params[argument.arg]), mode="eval").body
        elif argument.arg in defaults:
            constants[argument.arg] = defaults[argument.arg]
        else:
            free.append(ast.arg(argument.arg))
    folded = _Folding(constants)
    body = [left for statement in whole.body for left in _listed(folded.visit(statement))]
    arguments = ast.arguments(posonlyargs=[], args=free, kwonlyargs=[], kw_defaults=[], defaults=[])
    made = ast.FunctionDef(name=name, args=arguments, body=body, decorator_list=[])
    return ast.fix_missing_locations(made)


def size_of(tree: ast.AST) -> int:
    """Number of expressions and statements in a program."""
    return sum(isinstance(node, ast.expr | ast.stmt) for node in ast.walk(tree))


@cache
def _tree_of(function: Callable[..., Any]) -> ast.FunctionDef:
    definition = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition


def _listed(visited: Any) -> list[ast.stmt]:
    return visited if isinstance(visited, list) else [] if visited is None else [visited]


class _Folding(ast.NodeTransformer):
    def __init__(self, constants: Mapping[str, ast.expr]) -> None:
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        constant = self._constants.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return node if constant is None else copied(constant)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        assert node.value is not None
        return ast.Assign([node.target], node.value)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        compare = _COMPARISONS.get(type(node.ops[0]))
        known, values = _values(node.left, *node.comparators)
        return ast.Constant(compare(*values)) if compare is not None and known and len(values) == 2 else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        known, values = _values(node.operand)
        return ast.Constant(not values[0]) if known and isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        known, values = _values(node.left, node.right)
        compute = _ARITHMETIC.get(type(node.op))
        if not known or compute is None or not all(type(value) is int for value in values):
            return node
        return ast.parse(repr(compute(*values)), mode="eval").body

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        left: list[ast.expr] = []
        for value in node.values:
            known, values = _values(value)
            if known and bool(values[0]) == decides:  # the preceding code has no effects
                return ast.Constant(decides)
            if not known:
                left.append(value)
        if not left:
            return ast.Constant(not decides)
        return left[0] if len(left) == 1 else ast.BoolOp(node.op, left)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        known, values = _values(node.test)
        return node if not known else node.body if values[0] else node.orelse

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        known, values = _values(node.test)
        if known:
            return node.body if values[0] else node.orelse
        node.body = node.body or [ast.Pass()]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs = [test for test in node.ifs if not (isinstance(test, ast.Constant) and test.value is True)]
        return node


def _values(*nodes: ast.expr) -> tuple[bool, list[Any]]:
    """Whether all of these are constants, and their values."""
    found = []
    for node in nodes:
        sign = 1
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            sign, node = -1, node.operand
        if not isinstance(node, ast.Constant):
            return False, []
        found.append(-node.value if sign < 0 else node.value)  # type: ignore[operator]
    return True, found

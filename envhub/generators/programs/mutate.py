"""Bugs: local changes of our own programs, and running the changed programs.

A change is local: a comparison, an operator, a number by one, another variable, a negated condition, a removed
statement, an early loop exit. Changed programs run here, in this process, because only our own sources are changed;
they have a few builtins, and inserted code limits loops, sizes and numbers, so a run always ends::

    sites = places(tree)
    bad = changed(tree, [sites[3]])
    run(compiled(bad, "solve"), ([1, 2],))      # a value, or Raised("IndexError")
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from envhub.generators.programs.trees import copied

_STEPS: Final = 1_000
_LONG: Final = 10_000
_LARGE: Final = 10_000_000
_DEPTH: Final = 6
_SIZED: Final = frozenset({str, list, tuple, dict, set})

_COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: Final[Mapping[type[ast.operator], tuple[type[ast.operator], ...]]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,),
}
_CALLS: Final = {"min": "max", "max": "min"}
_KNOWN: Final = {
    f.__name__: f
    for f in (abs, all, bin, chr, dict, enumerate, int, len, list, max, min, ord, range, set, sorted, str, sum)
}

Site = tuple[int, str, int]
"""A change: node number in ``ast.walk``, operation, variant."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The exception that ended a run."""

    name: str


ENDLESS: Final = Raised("")
"""It had to be stopped, or returned a value that is not plain."""


class _Endless(Exception):
    """A run took too many steps, or created too large a value."""


def places(tree: ast.Module) -> list[Site]:
    """All possible changes, in every variant."""
    names = _names(tree)
    return [
        (at, what, way)
        for at, node in enumerate(ast.walk(tree))
        for what, ways in _ways(node, names.get(id(node), []))
        for way in range(ways)
    ]


def changed(tree: ast.Module, sites: Sequence[Site]) -> ast.Module:
    """A copy of the program with changes at different nodes."""
    made = copied(tree)
    names = _names(made)
    nodes = list(ast.walk(made))
    for at, what, way in sites:
        _change(nodes[at], what, way, names.get(id(nodes[at]), []))
    return ast.fix_missing_locations(made)


def compiled(tree: ast.Module, name: str) -> Callable[..., Any]:
    """The function of a program, with inserted limits."""
    return compiled_in_place(copied(tree), name)  # the shown text has no limits


def compiled_in_place(tree: ast.Module, name: str) -> Callable[..., Any]:
    """:func:`compiled`, inserting the limits into this very tree."""
    return _loaded(_bounded(tree), name)


def changer(tree: ast.Module, name: str) -> Callable[[Site], Callable[..., Any]]:
    """Compiles programs with one change; faster than :func:`changed`, and each only once."""
    made = copied(tree)
    names = _names(made)
    nodes = list(ast.walk(made))
    _bounded(made)

    @cache
    def change(site: Site) -> Callable[..., Any]:
        at, what, way = site
        node = nodes[at]
        kind, fields = node.__class__, dict(node.__dict__)
        _change(node, what, way, names.get(id(node), []))
        ast.fix_missing_locations(node)
        function = _loaded(made, name)
        node.__class__ = kind
        node.__dict__.clear()
        node.__dict__.update(fields)
        return function

    return change


def _bounded(tree: ast.Module) -> ast.Module:
    bounded: ast.Module = ast.fix_missing_locations(_Bounded().visit(tree))
    return bounded


def _loaded(bounded: ast.Module, name: str) -> Callable[..., Any]:
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count > _STEPS:
            raise _Endless

    def hold(value: Any) -> Any:
        kind = type(value)
        if kind is int:
            if not -_LARGE <= value <= _LARGE:
                raise _Endless
        elif kind in _SIZED and len(value) > _LONG:
            raise _Endless
        return value

    space: dict[str, Any] = {"__builtins__": _KNOWN, "_tick": tick, "_hold": hold}
    exec(compile(bounded, "<program>", "exec"), space)
    function = space[name]

    def call(*args: Any, **named: Any) -> Any:
        nonlocal count
        count = 0
        return function(*args, **named)

    return call


def run(function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
    """The result of a compiled program, or its exception.

    It may modify the arguments.
    """
    try:
        found = function(*map(_copied, args), **named or {})
    except (_Endless, RuntimeError):
        return ENDLESS
    except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
        return Raised(type(error).__name__)
    return found if _shallow(found, _DEPTH) else ENDLESS


def _copied(value: Any) -> Any:
    return [_copied(item) for item in value] if type(value) is list else value


def _shallow(value: Any, room: int) -> bool:
    """Whether a value is plain and not deeply nested.

    For example, it does not contain itself.
    """
    if type(value) is list:
        return room > 0 and all(_shallow(item, room - 1) for item in value)
    return value is None or type(value) in (bool, int, float, str)


def _names(tree: ast.Module) -> dict[int, list[str]]:
    """Maps every node, by id, to the variables of its function."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {id(inner): found for f in functions for found in [_variables(f)] for inner in ast.walk(f)}


def _variables(function: ast.FunctionDef) -> list[str]:
    """The names that a function assigns, in text order."""
    stored = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys([argument.arg for argument in function.args.args] + [name.id for name in stored]))


def _ways(node: ast.AST, variables: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The possible changes of a node, and their numbers of variants."""
    match node:
        case ast.Compare(ops=[op]):
            yield "compare", len(_COMPARISONS.get(type(op), ()))
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            yield "operate", len(_OPERATORS.get(type(operator), ()))
        case ast.BoolOp():
            yield "connect", 1
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int()):
            yield "count", 2
        case ast.Constant(value=str(text)) if len(text) > 1:
            yield "shorten", 2
        case ast.Name(id=name, ctx=ast.Load()):
            if name in _CALLS:
                yield "call", 1
            elif name in variables:
                yield "name", len(variables) - 1
        case ast.If(orelse=orelse):
            yield "turn", 1
            if orelse:
                yield "forget", 1
        case ast.IfExp():
            yield "turn", 1
        case ast.Continue() | ast.Break() | ast.Expr():
            yield "drop", 1
        case ast.For() | ast.While():
            yield "leave", 1
        case ast.UnaryOp(op=ast.USub()):
            yield "sign", 1


def _change(node: Any, what: str, way: int, variables: Sequence[str]) -> None:
    if what == "compare":
        node.ops = [_COMPARISONS[type(node.ops[0])][way]()]
    elif what == "operate":
        node.op = _OPERATORS[type(node.op)][way]()
    elif what == "connect":
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    elif what == "count":
        node.value += (1, -1)[way]
    elif what == "shorten":
        node.value = (node.value[1:], node.value[:-1])[way]
    elif what == "call":
        node.id = _CALLS[node.id]
    elif what == "name":
        node.id = [name for name in variables if name != node.id][way]
    elif what == "turn":
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif what == "forget":
        node.orelse = []
    elif what == "leave":
        node.body = [*node.body, ast.Break()]
    elif what == "sign":
        node.op = ast.UAdd()
    else:
        _to_pass(node)


def _to_pass(node: Any) -> None:
    node.__class__ = ast.Pass


class _Bounded(ast.NodeTransformer):
    """Counts loop iterations and limits the size of values."""

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body = [_asked("_tick"), *node.body]
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        node.body = [_asked("_tick"), *node.body]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        node.value = ast.Call(ast.Name("_hold", ast.Load()), [node.value], [])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        target = copied(node.target)
        target.ctx = ast.Load()
        return [node, _asked("_hold", target)]


def _asked(name: str, *args: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(name, ast.Load()), list(args), []))

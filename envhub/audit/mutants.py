"""Mutants of judging code: which functions are changed, and how.

A mutant is one change of one expression: a comparison, a number, a condition, ``and`` for ``or``, a sum for a difference. The
functions are those an environment judges with: the roots of its class, and whatever they call in the packages of environments,
generators and verifiers.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from envhub.authoring import Environment

_OURS: Final = re.compile(r"envhub\.(envs|families|generators|verifiers)\.")
# Reading answers is shared by all environments and checked by "reading"; only judging what is read is mutated here.
# Worlds, documents and their index are drawn: a key contains only the seed, so judging would draw them again.
_NOT_OURS: Final = re.compile(
    r"envhub\.(verifiers\.answers\.(types|grids|extraction|unwrapping|fences|near_misses)"
    r"|generators\.(chess\.worth|retrieval|worlds\.(corpus|names|tables|text)))$"  # move values order a search
)
_ROOTS: Final = (
    "grade",
    "act",
    "advance",
    "exhausted",
    "reject",
    "play",
    "to_move",
    "legal",
    "payoffs",
    "stakes",
    "forfeit",
)
_MORE_ROOTS: Final = ("par", "score", "read_move", "fault", "start", "begin")
_NO_JUDGES: Final = frozenset(
    [
        *("sample", "setup", "canonical", "accepts", "form", "check", "chances", "draw", "moves"),
        *("prompt", "rules", "observe", "instruction", "goal", "seat_name", "write_move", "ending", "parts"),
        *("solve", "oracle", "best", "strategy", "imagine", "heuristic", "greedy", "greedy_action", "effort"),
        *("random", "random_action", "reference_action", "legal_answers", "illegal_answers", "listed"),
        *("alternatives", "mistakes", "near", "known", "spellings"),
    ]
)
_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_SAID: Final = (ast.JoinedStr, ast.Raise, ast.Assert)
_CALLS: Final = {"all": "any", "any": "all", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One change of one expression of a function.

    Attributes:
        function: ``module:qualname``.
        file: File of the function, relative to the folder above its package.
        line: Line of the expression.
        old: The expression.
        new: The replacement.
        source: The source line, without surrounding spaces.
        number: Number of the change within the function.
    """

    function: str
    file: str
    line: int
    old: str
    new: str
    source: str
    number: int

    @property
    def name(self) -> str:
        """Identity that survives moved lines: function, old and new expression, line text."""
        return f"{self.function}: {self.old} -> {self.new} in {self.source}"


def judging(environment: type[Environment]) -> list[FunctionType]:
    """The functions that an environment judges with, in order of discovery."""
    roots = [*_ROOTS, *_MORE_ROOTS, *(name for name in environment.tools)]
    found: dict[CodeType, FunctionType] = {}
    due = [_method(environment, name) for name in roots]
    while due:
        function = due.pop(0)
        if function is None or function.__code__ in found or not _is_ours(environment, function.__module__):
            continue
        found[function.__code__] = function
        due += _called(environment, function)
    return list(found.values())


def _is_ours(environment: type[Environment], module: str) -> bool:
    """Whether a module contains rules.

    It is in one of our rule packages, or in a plug-in's package.
    """
    package = environment.__module__.partition(".")[0]
    if package != "envhub" and module.partition(".")[0] == package:
        return True
    return bool(_OURS.match(module)) and not _NOT_OURS.match(module)


def _method(cls: type[Any], name: str) -> FunctionType | None:
    return None if name in _NO_JUDGES else _plain(inspect.getattr_static(cls, name, None))


def _plain(found: Any) -> FunctionType | None:
    """The function behind a method, a cached function or a property."""
    for name in ("__func__", "fget", "func"):
        found = getattr(found, name, found) if not isinstance(found, FunctionType) else found
    found = inspect.unwrap(found) if callable(found) else found
    return found if isinstance(found, FunctionType) else None


def _called(environment: type[Environment], function: FunctionType) -> Iterator[FunctionType | None]:
    """Functions that a function may call: methods, functions and classes it names."""
    names = [name for name in _names(function.__code__) if name not in _said(function)]
    given = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    yield from (value for value in given if isinstance(value, FunctionType))
    own = sys.modules[function.__module__]
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and _is_ours(environment, value.__name__):
            yield from (_plain(getattr(value, other, None)) for other in names if _defined(value, other))
        elif inspect.isclass(value) and value is not environment and _is_ours(environment, value.__module__):
            yield from (_plain(inspect.getattr_static(value, other, None)) for other in names if other in vars(value))
        elif callable(value):
            yield _plain(value)
        if "self" in function.__code__.co_varnames and _in_class(function):
            yield _method(environment, name)
    for cls in vars(own).values():
        if inspect.isclass(cls) and cls.__module__ == own.__name__ and not issubclass(cls, Environment):
            yield from (_plain(value) for other, value in vars(cls).items() if other in names)


def _in_class(function: FunctionType) -> bool:
    return "." in function.__qualname__


def _defined(module: ModuleType, name: str) -> bool:
    """Whether a module exports a function: its own, or listed in ``__all__``."""
    own = getattr(getattr(module, name, None), "__module__", None) == module.__name__
    return own or name in getattr(module, "__all__", ())


def _names(code: CodeType) -> list[str]:
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _names(constant)
    return list(dict.fromkeys(names))


def _said(function: FunctionType) -> frozenset[str]:
    """Names used only in formatted texts and errors, which are for readers."""
    node = _node(function)
    if node is None:
        return frozenset()
    counted, said = set[str](), set[str]()
    due: list[tuple[ast.AST, bool]] = [(node, False)]
    while due:
        part, quoted = due.pop()
        quoted = quoted or isinstance(part, _SAID)
        if isinstance(part, (ast.Name, ast.Attribute)):
            (said if quoted else counted).add(part.id if isinstance(part, ast.Name) else part.attr)
        due += [(inner, quoted) for inner in ast.iter_child_nodes(part)]
    return frozenset(said - counted)


def _node(function: FunctionType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The definition of a function in the source of its module."""
    first = function.__code__.co_firstlineno
    for node in ast.walk(_tree(Path(inspect.getsourcefile(function) or ""))):
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.name == function.__name__
            and first in (node.lineno, *(decorator.lineno for decorator in node.decorator_list))
        ):
            return node
    return None


class Source:
    """Source of a function's module, to change one expression at a time.

    Args:
        function: Any function that is defined in a file.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self._path = Path(inspect.getsourcefile(function) or "")
        self._tree = _tree(self._path)

    @cached_property
    def mutants(self) -> list[Mutant]:
        """All possible changes, in source order."""
        package = self.function.__module__.partition(".")[0]
        above = next((folder.parent for folder in self._path.parents if folder.name == package), self._path.parent)
        name = f"{self.function.__module__}:{self.function.__qualname__}"
        file = str(self._path.relative_to(above))
        lines = self._path.read_text(encoding="utf-8").splitlines()
        return [
            Mutant(name, file, change.line, change.old, change.new, lines[change.line - 1].strip(), number)
            for number, change in enumerate(self._changes)
        ]

    def code(self, number: int) -> CodeType:
        """The function's code with one change.

        Raises:
            LookupError: The changed module lacks the function, or the function needs other variables of enclosing
                functions.
        """
        change = self._changes[number]
        change.put()
        try:
            module = compile(ast.fix_missing_locations(self._tree), str(self._path), "exec", dont_inherit=True)
        finally:
            change.take_back()
        wanted = self.function.__code__
        for code in _codes(module):
            if (code.co_qualname, code.co_firstlineno) == (wanted.co_qualname, wanted.co_firstlineno):
                if code.co_freevars != wanted.co_freevars:
                    break
                return code
        raise LookupError(f"{self.function.__qualname__} cannot be changed so.")

    @cached_property
    def _changes(self) -> list[_Change]:
        node = _node(self.function)
        return [] if node is None else list(_changes(node))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@dataclass(frozen=True)
class _Change:
    """Replace a node of the tree."""

    line: int
    old: str
    new: str
    put: Callable[[], None]
    take_back: Callable[[], None]


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Change]:
    yes_or_no = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        yield from _within(statement, function.body, function.body.index(statement), yes_or_no)


def _within(node: ast.AST, place: Any, at: int | str, yes_or_no: bool) -> Iterator[_Change]:
    """The changes of a node and its children.

    ``place`` and ``at`` locate it.
    """
    if isinstance(node, (*_SAID, ast.FunctionDef, ast.AsyncFunctionDef)):
        return  # texts and failures
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return  # an assertion
    if isinstance(node, ast.expr):
        for new in _others(node):
            yield _replaced(node, new, place, at)
    if isinstance(node, (ast.If, ast.IfExp)):
        for value in (True, False):
            yield _replaced(node.test, ast.Constant(value), node, "test")
    if isinstance(node, ast.Return) and yes_or_no and not isinstance(node.value, ast.Constant) and node.value:
        for value in (True, False):
            yield _replaced(node.value, ast.Constant(value), node, "value")
    if isinstance(node, ast.comprehension):
        for number, test in enumerate(node.ifs):
            yield _replaced(test, ast.Constant(True), node.ifs, number)
    for name, value in ast.iter_fields(node):
        if name in (
            "annotation",
            "returns",
            "decorator_list",
            "ctx",
            "slice" if isinstance(node, ast.AnnAssign) else "",
        ):
            continue
        if isinstance(value, ast.AST):
            yield from _within(value, node, name, yes_or_no)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _within(item, value, number, yes_or_no)


def _others(node: ast.expr) -> Iterator[ast.expr]:
    """Possible replacements of an expression."""
    match node:
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                ops = [*node.ops[:number], _COMPARISONS[type(operator)](), *node.ops[number + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for number in range(len(node.values)):
                left = [*node.values[:number], *node.values[number + 1 :]]
                yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _OPERATORS and not _is_text(node):
            yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield from (ast.Constant(value + step) for step in (1, -1))
        case ast.Constant(value=float() as value):
            yield ast.Constant(2 * value if value else 1.0)
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            yield ast.Call(ast.Name(_CALLS[name], ast.Load()), node.args, node.keywords)


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _replaced(old: ast.expr, new: ast.expr, place: Any, at: int | str) -> _Change:
    ast.copy_location(new, old)

    def put(node: ast.expr) -> None:
        if isinstance(place, list):
            place[at] = node  # type: ignore[index]
        else:
            setattr(place, str(at), node)

    return _Change(old.lineno, _shown(old), _shown(new), put=lambda: put(new), take_back=lambda: put(old))


def _shown(node: ast.expr) -> str:
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= 100 else f"{text[:60]} ... {text[-35:]}"


def spread(mutants: Sequence[Mutant], most: int) -> list[Mutant]:
    """A sample of at most ``most`` items at even distances."""
    if len(mutants) <= most:
        return list(mutants)
    return [mutants[number * len(mutants) // most] for number in range(most)]

"""A second interpreter for proposals: it counts operations by the rules that the prompt states.

It walks the syntax tree, and shares no code with the bench, which rewrites programs and lets Python run them::

    critical(source, [3])       # (operations whose wrong result changes the value, different operations)
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Iterator
from typing import Any

Values = dict[str, Any]
BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
IN_PLACE = {ast.Add: operator.iadd, ast.Mult: operator.imul, ast.BitOr: operator.ior}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
CONVERSIONS = ("bool", "dict", "list", "tuple")


class Returned(Exception):
    """Carries the value of a return statement."""


class Left(Exception):
    """A break."""


class Skipped(Exception):
    """A continue."""


def written(value: Any) -> str:
    """A value with its type, and dicts in a fixed order."""
    if isinstance(value, dict):
        return f"dict{sorted((written(key), written(item)) for key, item in value.items())}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}{list(map(written, value))}"
    return f"{type(value).__name__}{value!r}"


def plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | str | list | tuple | dict)


def wrong(value: Any) -> Any:
    """The result of a mistake."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] if value else "?"
    return value[:-1] if value else type(value)([0])


class Reader:
    """One run of a program.

    Attributes:
        seen: The different operations.
    """

    def __init__(self, source: str, mistaken: tuple[str, ...] | None = None) -> None:
        tree = ast.parse(source)
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.seen: dict[tuple[str, ...], None] = {}
        self.mistaken, self.left = mistaken, 2_000

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TimeoutError

    def variable(self, *nodes: ast.AST) -> bool:
        """Whether a variable or a function of the program occurs."""
        names = [part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)]
        return any(not hasattr(builtins, name) for name in names)

    def counted(self, name: str, operands: list[str], counts: bool, value: Any) -> Any:
        self.step()
        if not counts or value is None or isinstance(value, dict) or not plain(value):
            return value
        operation = (name, *operands)
        self.seen.setdefault(operation)
        return wrong(value) if operation == self.mistaken else value

    def call(self, name: str, given: list[Any]) -> Any:
        self.step()
        function = self.functions[name]
        try:
            self.block(function.body, dict(zip((arg.arg for arg in function.args.args), given, strict=True)))
        except Returned as returned:
            return returned.args[0]
        return None

    def block(self, body: list[ast.stmt], names: Values) -> None:
        for node in body:
            self.statement(node, names)

    def statement(self, node: ast.stmt, names: Values) -> None:
        match node:
            case ast.Return():
                raise Returned(self.value(node.value, names) if node.value else None)
            case ast.Assign():
                value = self.value(node.value, names)
                for target in node.targets:
                    self.assign(target, value, names)
            case ast.AugAssign():
                self.update(node, names)
            case ast.If():
                self.block(node.body if self.value(node.test, names) else node.orelse, names)
            case ast.For() | ast.While():
                self.loop(node, names)
            case ast.Expr():
                self.value(node.value, names)
            case ast.Break():
                raise Left
            case ast.Continue():
                raise Skipped

    def loop(self, node: ast.For | ast.While, names: Values) -> None:
        for _ in self.passes(node, names):
            try:
                self.block(node.body, names)
            except Left:
                return
            except Skipped:
                continue

    def passes(self, node: ast.For | ast.While, names: Values) -> Iterator[None]:
        if isinstance(node, ast.While):
            while self.value(node.test, names):
                self.step()
                yield
            return
        for item in self.value(node.iter, names):
            self.step()
            self.assign(node.target, item, names)
            yield

    def assign(self, target: ast.expr, value: Any, names: Values) -> None:
        match target:
            case ast.Name():
                names[target.id] = value
            case ast.Subscript():
                owner = self.value(target.value, names)
                owner[self.index(target.slice, names)] = value
            case ast.Tuple() | ast.List():
                for part, item in zip(target.elts, value, strict=True):
                    self.assign(part, item, names)

    def update(self, node: ast.AugAssign, names: Values) -> None:
        target, kind, counts = node.target, type(node.op), self.variable(node.target, node.value)
        owner, at = None, None
        if isinstance(target, ast.Subscript):
            owner, at = self.value(target.value, names), self.index(target.slice, names)
            old = self.item(owner, at, self.variable(target))
        else:
            old = self.value(target, names)
        value = self.value(node.value, names)
        operands = [written(old), written(value)]
        changed = self.counted(kind.__name__, operands, counts, IN_PLACE.get(kind, BINARY[kind])(old, value))
        if isinstance(target, ast.Name):
            names[target.id] = changed
        elif owner is not None:
            owner[at] = changed

    def index(self, node: ast.expr, names: Values) -> Any:
        if isinstance(node, ast.Slice):
            return slice(*[self.value(part, names) if part else None for part in (node.lower, node.upper, node.step)])
        return self.value(node, names)

    def item(self, owner: Any, at: Any, counts: bool) -> Any:
        shown = [at.start, at.stop, at.step] if isinstance(at, slice) else at
        return self.counted("[]", [written(owner), written(shown)], counts, owner[at])

    def comprehended(self, left: list[ast.comprehension], names: Values) -> Iterator[Values]:
        if not left:
            yield names
            return
        for item in self.value(left[0].iter, names):
            self.step()
            self.assign(left[0].target, item, names)
            if all(self.value(test, names) for test in left[0].ifs):
                yield from self.comprehended(left[1:], names)

    def function(self, node: ast.expr, names: Values) -> Any:
        """A function as a key, or as the first argument of map and filter."""
        match node:
            case ast.Lambda():
                parts = [arg.arg for arg in node.args.args]
                return lambda *given: self.value(node.body, names | dict(zip(parts, given, strict=True)))
            case ast.Name() if node.id in self.functions:
                return lambda *given: self.call(node.id, list(given))
            case ast.Name():
                return lambda *given: self.builtin(node.id, list(given), {}, counts=True)
        return self.value(node, names)

    def builtin(self, name: str, given: list[Any], words: Values, counts: bool) -> Any:
        counts = counts and name not in CONVERSIONS and all(map(plain, given))
        operands = list(map(written, given)) if counts else []
        return self.counted(f"{name}{sorted(words)}", operands, counts, getattr(builtins, name)(*given, **words))

    def called(self, node: ast.Call, names: Values) -> Any:
        function = node.func
        words = {word.arg or "": self.word(word, names) for word in node.keywords}
        if isinstance(function, ast.Attribute):
            owner, given = self.value(function.value, names), [self.value(each, names) for each in node.args]
            counts = self.variable(function.value, *node.args) and all(map(plain, given))
            operands = list(map(written, (owner, *given))) if counts else []
            name = function.attr
            return self.counted(f".{name}{sorted(words)}", operands, counts, getattr(owner, name)(*given, **words))
        assert isinstance(function, ast.Name)
        if function.id in self.functions:
            return self.call(function.id, [self.value(each, names) for each in node.args])
        first = self.function if function.id in ("map", "filter") else self.value
        given = [(self.value if at else first)(each, names) for at, each in enumerate(node.args)]
        return self.builtin(function.id, given, words, self.variable(*node.args))

    def word(self, word: ast.keyword, names: Values) -> Any:
        return self.function(word.value, names) if word.arg == "key" else self.value(word.value, names)

    def value(self, node: ast.expr, names: Values) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return names[node.id]
            case ast.BinOp() | ast.Compare():
                first, kind, second = (
                    (node.left, type(node.op), node.right)
                    if isinstance(node, ast.BinOp)
                    else (node.left, type(node.ops[0]), node.comparators[0])
                )
                one, other = self.value(first, names), self.value(second, names)
                operands = [written(one), written(other)]
                return self.counted(kind.__name__, operands, self.variable(node), BINARY[kind](one, other))
            case ast.UnaryOp():
                return UNARY[type(node.op)](self.value(node.operand, names))
            case ast.BoolOp():
                for part in node.values[:-1]:
                    value = self.value(part, names)
                    if bool(value) is isinstance(node.op, ast.Or):
                        return value
                return self.value(node.values[-1], names)
            case ast.IfExp():
                return self.value(node.body if self.value(node.test, names) else node.orelse, names)
            case ast.Subscript():
                owner = self.value(node.value, names)
                return self.item(owner, self.index(node.slice, names), self.variable(node))
            case ast.Call():
                return self.called(node, names)
        return self.built(node, names)

    def built(self, node: ast.expr, names: Values) -> Any:
        """A new list, tuple, dict or generator."""
        match node:
            case ast.List():
                return [self.value(each, names) for each in node.elts]
            case ast.Tuple():
                return tuple(self.value(each, names) for each in node.elts)
            case ast.Dict():
                pairs = zip(node.keys, node.values, strict=True)
                return {self.value(key, names): self.value(item, names) for key, item in pairs if key}
            case ast.ListComp():
                return [self.value(node.elt, inner) for inner in self.comprehended(node.generators, names | {})]
            case ast.GeneratorExp():
                return (self.value(node.elt, inner) for inner in self.comprehended(node.generators, names | {}))
            case ast.DictComp():
                every = self.comprehended(node.generators, names | {})
                return {self.value(node.key, inner): self.value(node.value, inner) for inner in every}
        raise NotImplementedError(ast.dump(node))


def result(source: str, given: list[Any], mistaken: tuple[str, ...] | None = None) -> tuple[str, Reader]:
    """The value of a call with its type, or ``!`` if it fails."""
    reader = Reader(source, mistaken)
    try:
        return written(reader.call("f", [list(each) if isinstance(each, list) else each for each in given])), reader
    except (ArithmeticError, LookupError, TypeError, ValueError, TimeoutError):
        return "!", reader


def critical(source: str, given: list[Any]) -> tuple[int, int]:
    """Number of operations whose wrong result changes the value, and of different operations."""
    right, reader = result(source, given)
    assert right != "!"
    return sum(result(source, given, each)[0] != right for each in reader.seen), len(reader.seen)

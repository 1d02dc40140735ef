"""How many wrong programs pass hidden cases: mutants of a reference, and which of them are really wrong.

Nothing here is shared with the generators, so that a blind spot of theirs is not one of the measurement. The mutants are made
by other rules, and the inputs on which a surviving mutant is compared with the reference are drawn by other means, uniformly
from the domain that the prompt states::

    measured = survival(program, cases, inputs, rng, count=50)
    measured.survived    # mutants that pass all cases and are wrong for some input
"""

from __future__ import annotations

import ast
import copy
import random
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Args = tuple[Any, ...]
Function = Callable[..., Any]

STEPS = 20_000


class Endless(Exception):
    """A mutant was stopped."""


@dataclass
class Survival:
    """What became of mutants.

    Attributes:
        failed: Mutants that fail on some case.
        equal: Mutants that pass and agree with the reference on every input tried.
        survived: The names of those that pass and are wrong.
    """

    failed: int = 0
    equal: int = 0
    survived: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of survivors among the mutants that are wrong."""
        return len(self.survived) / max(1, self.failed + len(self.survived))

    def __iadd__(self, other: Survival) -> Survival:
        self.failed += other.failed
        self.equal += other.equal
        self.survived += other.survived
        return self


def survival(
    source: str, name: str, cases: Sequence[Args], inputs: Sequence[Args], rng: random.Random, count: int = 50
) -> Survival:
    """Make mutants of a program, four of five by changing its text, and try them on the cases."""
    found = Survival()
    tree = ast.parse(source)
    right = loaded(tree, name)
    wanted = [outcome(right, args) for args in cases]
    known: dict[int, str] = {}

    def truth(at: int) -> str:
        if at not in known:
            known[at] = outcome(right, inputs[at])
        return known[at]

    texts = list(edits(tree))
    mutants = [(label, loaded(edit(), name)) for label, edit in rng.sample(texts, min(len(texts), count * 4 // 5))]
    for at in range(count - len(mutants)):
        mutants.append(special(right, inputs[rng.randrange(len(inputs))], at))
    for label, mutant in mutants:
        if any(outcome(mutant, args) != right_one for args, right_one in zip(cases, wanted, strict=True)):
            found.failed += 1
        elif any(outcome(mutant, args) != truth(at) for at, args in enumerate(inputs)):
            found.survived.append(label)
        else:
            found.equal += 1
    return found


# -- running -----------------------------------------------------------------------------------------------------------


def loaded(tree: ast.Module, name: str) -> Function:
    """A function of a program whose loops are counted."""
    bounded = copy.deepcopy(tree)
    for node in ast.walk(bounded):
        if isinstance(node, ast.For | ast.While):
            node.body = [ast.Expr(ast.Call(ast.Name("_tick", ast.Load()), [], [])), *node.body]
    left = 0

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless

    space: dict[str, Any] = {"_tick": tick}
    exec(compile(ast.fix_missing_locations(bounded), "<mutant>", "exec"), space)

    def call(*args: Any) -> Any:
        nonlocal left
        left = STEPS
        return space[name](*args)

    return call


def outcome(function: Function, args: Args) -> str:
    """What a function returns, in a form that tells types apart; or the exception."""
    try:
        return repr(function(*copy.deepcopy(args)))
    except Exception as error:
        return f"raises {type(error).__name__}"


# -- mutants that fail for a class of inputs ---------------------------------------------------------------------------


def special(right: Function, sample: Args, number: int) -> tuple[str, Function]:
    """The reference, but wrong for the inputs that share a trait with a sample: a size, a character, an extreme, a tie."""
    traits = list(traits_of(sample))
    trait = traits[number * 7 % len(traits)]

    def mutant(*args: Any) -> Any:
        value = right(*args)
        return "wrong" if trait in set(traits_of(args)) else value

    return f"wrong where {trait}", mutant


def traits_of(args: Args) -> Iterator[tuple[str, Any]]:
    """What is said of an input by somebody who looks for special cases."""
    for at, value in enumerate(args):
        if type(value) is int:
            yield f"argument {at} has the sign and digits", (value < 0, len(str(abs(value))))
            yield f"argument {at} is 0 or even", (value == 0, value % 2)
        else:
            yield f"argument {at} has the size", len(value)
            yield f"argument {at} is sorted", list(value) == sorted(value)
            yield f"argument {at} is even in size", len(value) % 2
            yield f"argument {at} is empty or all equal", (not value, all(item == value[0] for item in value))
            yield (
                f"argument {at} has neighbours that are equal",
                any(a == b for a, b in pairwise(value)),
            )
            if value and type(value[0]) is int:
                yield (
                    f"argument {at} has its largest number first or last",
                    (value[0] == max(value), value[-1] == max(value)),
                )
                yield f"argument {at} has the signs", (min(value) < 0, max(value) > 0, 0 in value)
            if value and type(value[0]) is list:
                yield f"argument {at} has a first row of size", (len(value[0]), len(value) > 1)


# -- mutants of the text -----------------------------------------------------------------------------------------------

_COMPARE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def edits(tree: ast.Module) -> Iterator[tuple[str, Callable[[], ast.Module]]]:
    """All one-place changes of a program, each as a description and how it is made."""
    for at, node in enumerate(ast.walk(tree)):
        for label, change in _changes(node):
            before = ast.unparse(node).split("\n")[0] if hasattr(node, "lineno") else type(node).__name__

            def made(at: int = at, change: Callable[[Any], None] = change) -> ast.Module:
                other = copy.deepcopy(tree)
                change(list(ast.walk(other))[at])
                return other

            yield f"{label}: {before}", made


def _setting(name: str, value: Callable[[Any], Any]) -> Callable[[Any], None]:
    return lambda node: setattr(node, name, value(node))


def _expression(text: str, part: ast.expr) -> ast.expr:
    made = ast.parse(text, mode="eval").body

    class Filling(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return part if node.id == "_" else node

    filled: ast.expr = Filling().visit(made)
    return filled


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    match node:
        case ast.Compare(ops=[op]) if isinstance(op, _COMPARE):
            for other in _COMPARE:
                if not isinstance(op, other):
                    yield f"compare with {other.__name__}", _setting("ops", lambda n, other=other: [other()])
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            for other in _ARITHMETIC:
                if not isinstance(operator, other):
                    yield f"operate with {other.__name__}", _setting("op", lambda n, other=other: other())
            if isinstance(node, ast.BinOp):
                yield (
                    "left operand alone",
                    _setting("right", lambda n: ast.Constant(0 if isinstance(n.op, ast.Add) else 1)),
                )
        case ast.BoolOp():
            yield "first operand alone", _setting("values", lambda n: n.values[:1] * 2)
            yield "last operand alone", _setting("values", lambda n: n.values[-1:] * 2)
        case ast.Constant(value=int()) if type(node.value) is int:
            for label, change in (("+1", 1), ("-1", -1), ("+2", 2), ("+7", 7)):
                yield f"constant {label}", _setting("value", lambda n, change=change: n.value + change)
        case ast.Constant(value=str()) if node.value:
            yield "constant text", _setting("value", lambda n: n.value[:-1] + "#")
        case ast.If() | ast.While() | ast.IfExp():
            yield "condition turned", _setting("test", lambda n: _expression("not _", n.test))
            if not isinstance(node, ast.While):
                yield "condition always", _setting("test", lambda n: ast.Constant(True))
                yield "condition never", _setting("test", lambda n: ast.Constant(False))
        case ast.For():
            yield "loop without the first", _setting("iter", lambda n: _expression("list(_)[1:]", n.iter))
            yield "loop without the last", _setting("iter", lambda n: _expression("list(_)[:-1]", n.iter))
            yield "loop backwards", _setting("iter", lambda n: _expression("list(_)[::-1]", n.iter))
        case ast.comprehension():
            yield "items without the first", _setting("iter", lambda n: _expression("list(_)[1:]", n.iter))
            yield "items without the last", _setting("iter", lambda n: _expression("list(_)[:-1]", n.iter))
        case ast.Slice():
            if node.lower is not None:
                yield "slice from one later", _setting("lower", lambda n: _expression("_ + 1", n.lower))
            if node.upper is not None:
                yield "slice to one earlier", _setting("upper", lambda n: _expression("_ - 1", n.upper))
                yield "slice to one later", _setting("upper", lambda n: _expression("_ + 1", n.upper))
        case ast.Call(func=ast.Name(id=name)) if len(node.args) == 1 and not node.keywords:
            if name in ("abs", "sorted", "set"):
                yield f"without {name}", _setting("func", lambda n: ast.parse("(lambda x: x)", mode="eval").body)
            if name == "len":
                yield "length and one", _setting("args", lambda n: [_expression("[0, *_]", n.args[0])])
        case ast.Expr() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "statement left out", lambda n: _to_pass(n)
    if isinstance(node, ast.AugAssign):
        yield "statement left out", lambda n: _to_pass(n)


def _to_pass(node: Any) -> None:
    node.__class__ = ast.Pass


# -- inputs ------------------------------------------------------------------------------------------------------------


def arguments(name: str, rng: random.Random, count: int) -> list[Args]:
    """Arguments of a planned function, by the name of its first one; uniform over sizes, with many and with few values."""
    draw = {
        "numbers": _numbers,
        "number": _number,
        "text": _text,
        "items": _items,
        "words": _words,
        "spans": _spans,
        "grid": _grid,
        "count": _graph,
        "commands": _commands,
    }[name]
    return [draw(rng) for _ in range(count)]


def _numbers(rng: random.Random) -> Args:
    stock = rng.choice([range(-30, 61), [rng.randint(-30, 60) for _ in range(3)], range(-5, 6), range(61)])
    return ([rng.choice(stock) for _ in range(rng.randint(0, 14))],)


def _number(rng: random.Random) -> Args:
    sign = rng.choice((1, 1, -1))
    return (
        sign
        * rng.choice(
            [
                rng.randint(0, 100_000),
                rng.randint(0, 1_000),
                rng.randint(0, 99),
                rng.randint(1, 40) * rng.randint(1, 2_000),
            ]
        ),
    )


def _text(rng: random.Random) -> Args:
    stock = rng.choice([string.ascii_letters + string.digits + "  ,.-:", "abcdefghij ,.-:", "aBz9 -", "abcdefghij"])
    size = rng.choice((rng.randint(0, 40), rng.randint(0, 12)))
    found = ""
    while len(found) < size:
        found += rng.choice(stock) * rng.choice((1, 1, 1, 1, 2, 3, 12))
    return (found[:size],)


def _items(rng: random.Random) -> Args:
    kinds: list[Callable[[], str]] = [
        lambda: str(rng.randint(-9, 40)),
        lambda: f"{rng.randint(0, 15)}..{rng.randint(0, 15)}",
        lambda: f"{rng.randint(-9, 40)}*{rng.randint(0, 6)}",
        lambda: rng.choice(("", "x", "4*", "..", "1..x", "-", " 5 ", "*2")),
    ]
    return (",".join(rng.choice(kinds)() for _ in range(rng.randint(0, 9))),)


def _words(rng: random.Random) -> Args:
    stock = rng.choice((string.ascii_lowercase, "abcde", "ab"))
    words = ["".join(rng.choice(stock) for _ in range(rng.randint(1, 8))) for _ in range(rng.randint(1, 10))]
    return ([rng.choice(words) for _ in range(rng.randint(0, 10))],)


def _spans(rng: random.Random) -> Args:
    reach = rng.choice((10, 30, 120))
    return ([sorted((rng.randint(0, reach), rng.randint(0, reach))) for _ in range(rng.randint(0, 9))],)


def _grid(rng: random.Random) -> Args:
    rows, columns, high = rng.randint(1, 6), rng.randint(1, 6), rng.choice((9, 9, 2))
    return ([[rng.randint(0, high) for _ in range(columns)] for _ in range(rows)],)


def _graph(rng: random.Random) -> Args:
    count = rng.randint(1, 10)
    pairs = [[rng.randrange(count), rng.randrange(count)] for _ in range(rng.randint(0, rng.choice((count, 22))))]
    return count, pairs, rng.randrange(count)


def _commands(rng: random.Random) -> Args:
    return ([rng.choice(["L", "R", *(f"F{n}" for n in range(1, 7))]) for _ in range(rng.randint(0, 14))],)

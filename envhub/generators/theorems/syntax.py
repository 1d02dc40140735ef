"""Language-independent statements and terms, written by :mod:`lean`, :mod:`coq` and :mod:`english`.

An :class:`Expr` is an operation and its parts. Every binder of a theorem must have a unique name, so that nothing is
ever captured::

    claim = every("n", NAT, every("m", NAT, eq(plus(var("n"), var("m")), plus(var("m"), var("n")))))
    replaced(claim.args[0], {"n": num(0)})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

Sort = tuple[str, ...]
"""A sort: ``("Nat",)``; for functions arguments then result: ``("A", "A", "Prop")``."""

NAT: Final[Sort] = ("Nat",)
LIST: Final[Sort] = ("List",)
"""Lists of natural numbers."""
BOOL: Final[Sort] = ("Bool",)
PROP: Final[Sort] = ("Prop",)
TYPE: Final[Sort] = ("Type",)

BINDERS: Final = frozenset({"all", "ex", "lam"})


@dataclass(frozen=True, slots=True)
class Expr:
    """A statement, a term or the term of a proof.

    Attributes:
        op: ``var``, ``num``, ``call`` (of a name), ``lemma`` (of a library, named as in :mod:`lemmas`), a binder (``all``,
            ``ex``, ``lam``), a connective (``and or imp iff not true false either both``), a relation (``eq le lt dvd``) or
            an operation (``plus times succ append cons nil``).
        args: Its parts.
        name: Name of a variable, function or bound name, or the digits of a number.
        sort: Sort of the bound name.
    """

    op: str
    args: tuple[Expr, ...] = ()
    name: str = ""
    sort: Sort = ()

    @property
    def size(self) -> int:
        """Number of operations and names."""
        return 1 + sum(arg.size for arg in self.args)


def var(name: str) -> Expr:
    """A variable."""
    return Expr("var", (), name)


def num(value: int) -> Expr:
    """A numeral."""
    return Expr("num", (), str(value))


def call(name: str, *args: Expr) -> Expr:
    """A named function applied; without arguments a :func:`var`."""
    return Expr("call", args, name) if args else var(name)


def lemma(name: str, *args: Expr) -> Expr:
    """A library theorem, applied to the arguments that neither language infers."""
    return Expr("lemma", args, name)


def eq(a: Expr, b: Expr) -> Expr:
    """Equality."""
    return Expr("eq", (a, b))


def le(a: Expr, b: Expr) -> Expr:
    """At most, of natural numbers."""
    return Expr("le", (a, b))


def lt(a: Expr, b: Expr) -> Expr:
    """Less, of natural numbers."""
    return Expr("lt", (a, b))


def divides(a: Expr, b: Expr) -> Expr:
    """Divisibility of natural numbers."""
    return Expr("dvd", (a, b))


def plus(a: Expr, b: Expr) -> Expr:
    """A sum."""
    return Expr("plus", (a, b))


def times(a: Expr, b: Expr) -> Expr:
    """A product."""
    return Expr("times", (a, b))


def succ(a: Expr) -> Expr:
    """The successor."""
    return Expr("succ", (a,))


def imp(a: Expr, b: Expr) -> Expr:
    """An implication."""
    return Expr("imp", (a, b))


def no(a: Expr) -> Expr:
    """A negation."""
    return Expr("not", (a,))


def every(name: str, sort: Sort, body: Expr) -> Expr:
    """Universal quantification."""
    return Expr("all", (body,), name, sort)


def some(name: str, sort: Sort, body: Expr) -> Expr:
    """Existential quantification."""
    return Expr("ex", (body,), name, sort)


TRUE: Final = Expr("true")
FALSE: Final = Expr("false")


def conjunction(parts: Sequence[Expr]) -> Expr:
    """Joins propositions, nested to the right; needs at least one."""
    return reduce(lambda rest, part: Expr("and", (part, rest)), reversed(parts[:-1]), parts[-1])


def closed(names: Iterable[tuple[str, Sort]], premises: Sequence[Expr], conclusion: Expr) -> Expr:
    """Closes a claim: for all names, the premises imply the conclusion."""
    body = reduce(lambda rest, part: imp(part, rest), reversed(premises), conclusion)
    return reduce(lambda rest, bound: every(bound[0], bound[1], rest), reversed(list(names)), body)


def opened(claim: Expr) -> tuple[list[tuple[str, Sort]], list[Expr], Expr]:
    """Inverse of :func:`closed`."""
    names: list[tuple[str, Sort]] = []
    premises: list[Expr] = []
    while claim.op == "all":
        names.append((claim.name, claim.sort))
        claim = claim.args[0]
    while claim.op == "imp":
        premises.append(claim.args[0])
        claim = claim.args[1]
    return names, premises, claim


def replaced(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """With values for names.

    A function name is replaced by a name, or a ``lam``, which is applied.
    """
    if expr.op == "var":
        return values.get(expr.name, expr)
    args = tuple(replaced(arg, values) for arg in expr.args)
    if expr.op == "call" and expr.name in values:
        head = values[expr.name]
        if head.op == "lam":
            return applied(head, args)
        return Expr("call", head.args + args, head.name)
    return Expr(expr.op, args, expr.name, expr.sort)


def applied(function: Expr, args: Sequence[Expr]) -> Expr:
    """Applies a ``lam`` of several names to values."""
    values: dict[str, Expr] = {}
    for arg in args:
        values[function.name] = arg
        function = function.args[0]
    return replaced(function, values)


def swapped(expr: Expr, old: Expr, new: Expr) -> Expr:
    """With every ``old`` replaced by ``new``."""
    if expr == old:
        return new
    return Expr(expr.op, tuple(swapped(arg, old, new) for arg in expr.args), expr.name, expr.sort)


def names_in(expr: Expr) -> set[str]:
    """Names of variables and functions, bound or free."""
    own = {expr.name} if expr.op in ("var", "call") else set()
    return own.union(*(names_in(arg) for arg in expr.args)) if expr.args else own

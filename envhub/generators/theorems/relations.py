"""Divisibility and inequalities of natural numbers: chains, under monotone functions.

Facts are combined forwards by the laws of the relation (it is transitive, sums and products respect it) and by premises
about functions: one that respects the relation, one that increases in it. Facts unused by the last one are dropped. A
false look-alike lacks one premise or has one reversed, refuted by small numbers and simple functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, apply, exact, have, intro, show
from envhub.generators.theorems.syntax import (
    NAT,
    Expr,
    Sort,
    call,
    closed,
    divides,
    le,
    lemma,
    names_in,
    no,
    num,
    plus,
    times,
    var,
)

_FUNCTION: Sort = ("Nat", "Nat")
_LETTERS: Final = ["a", "b", "c", "d", "e", "i", "j", "l", "m", "n", "p", "q"]
_KEEPS: Final = ("f", "g")
_RAISES: Final = ("h", "s")
_HOLE: Final = Expr("hole")
_X, _Y = var("x"), var("y")
_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Relation:
    """Common structure of the two relations, with their differences.

    Attributes:
        of: Builds the statement.
        holds: Decides it for numbers.
        trans: Transitivity law.
        product: Product law.
        reflexive: Reflexivity law.
    """

    of: Callable[[Expr, Expr], Expr]
    holds: Callable[[int, int], bool]
    trans: str
    product: str
    reflexive: str


ORDER: Final = Relation(le, lambda a, b: a <= b, "le_trans", "mul_le_mul", "le_refl")
DIVISION: Final = Relation(divides, lambda a, b: b % a == 0 if a else b == 0, "dvd_trans", "mul_dvd_mul", "dvd_refl")


@dataclass(frozen=True, slots=True)
class _Fact:
    name: str
    left: Expr
    right: Expr
    parents: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def divisibility(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of divisibility."""
    return _sketch(rng, level, DIVISION, holds)


def inequalities(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of an inequality (at most)."""
    return _sketch(rng, level, ORDER, holds)


def _sketch(rng: Stream, level: int, relation: Relation, holds: bool) -> Sketch | None:
    work = _Chain(rng, relation, level)
    for _ in range(2 * level + 2 + rng.below(3)):
        work.extend()
    last = work.facts[-1]
    needed = _needed(work.facts, last.name)
    premises = [(name, says) for name, says in work.premises.items() if name in needed]
    rng.shuffle(premises)
    steps = [step for fact in work.facts if fact.name in needed for step in fact.steps]
    goal = relation.of(last.left, last.right)
    steps.append(exact(var(last.name)))
    if not any(step.kind == "have" for step in steps) or last.left == last.right:
        return None
    if not holds:
        return _refuted(rng, relation, premises, last, len(steps))
    names = _names([says for _, says in premises] + [goal])
    first = intro(*(name for name, _ in names), *(name for name, _ in premises))
    return Sketch(closed(names, [says for _, says in premises], goal), (first, *steps), len(steps))


def _names(parts: Sequence[Expr]) -> list[tuple[str, Sort]]:
    inside = set().union(*map(names_in, parts))
    functions = [(name, _FUNCTION) for name in (*_KEEPS, *_RAISES) if name in inside]
    return functions + [(name, NAT) for name in _LETTERS if name in inside]


def _needed(facts: list[_Fact], last: str) -> set[str]:
    needed = {last}
    for fact in reversed(facts):
        if fact.name in needed:
            needed |= set(fact.parents)
    return needed


@dataclass
class _Chain:
    """The facts known so far, and the premises used."""

    rng: Stream
    relation: Relation
    level: int
    premises: dict[str, Expr] = field(default_factory=dict)
    facts: list[_Fact] = field(default_factory=list)
    spare: list[str] = field(default_factory=list)
    laws: set[str] = field(default_factory=set)
    count: int = 0

    def __post_init__(self) -> None:
        self.spare = self.rng.sample(_LETTERS, len(_LETTERS))
        self._given(self._letter(), self._letter())

    def _letter(self) -> Expr:
        """A name, unused if possible."""
        return var(self.spare.pop() if self.spare else self.rng.choice(_LETTERS))

    def _name(self, start: str) -> str:
        self.count += 1
        return f"{start}{self.count}"

    def _given(self, left: Expr, right: Expr) -> _Fact:
        name = self._name("k")
        self.premises[name] = self.relation.of(left, right)
        self.facts.append(_Fact(name, left, right))
        return self.facts[-1]

    def _add(self, left: Expr, right: Expr, term: Expr, *parents: str) -> None:
        name = self._name("r")
        step = have(name, self.relation.of(left, right), term)
        self.facts.append(_Fact(name, left, right, parents, (step,)))

    def _law(self, name: str) -> str:
        """A premise about a function; created on first use."""
        law = f"law{name}"
        if law not in self.premises:
            of = self.relation.of
            keeps = closed([("x", NAT), ("y", NAT)], [of(_X, _Y)], of(call(name, _X), call(name, _Y)))
            self.laws.add(law)
            self.facts.insert(0, _Fact(law, _X, _X))
            self.premises[law] = keeps if name in _KEEPS else closed([("x", NAT)], [], of(_X, call(name, _X)))
        return law

    def extend(self) -> None:
        """A new fact, from the last one."""
        last = self.facts[-1]
        moves: list[Callable[[_Fact], None]] = [self._further, self._combined]
        if self.level >= 2:
            moves += [self._kept, self._raised]
        if self.level >= 3:
            moves += [self._kept, self._raised, self._before]
        if last.left.size + last.right.size > 24:
            moves = [self._further, self._before]
        self.rng.choice(moves)(last)

    def _further(self, last: _Fact) -> None:
        """By a premise from its right side."""
        given = self._given(last.right, self._letter())
        self._add(
            last.left, given.right, lemma(self.relation.trans, var(last.name), var(given.name)), last.name, given.name
        )

    def _before(self, last: _Fact) -> None:
        """By a premise to its left side."""
        given = self._given(self._letter(), last.left)
        self._add(
            given.left, last.right, lemma(self.relation.trans, var(given.name), var(last.name)), last.name, given.name
        )

    def _combined(self, last: _Fact) -> None:
        """With another fact: adds or multiplies both sides."""
        given = (
            self._given(self._letter(), self._letter())
            if self.rng.below(2)
            else self.rng.choice([f for f in self.facts if f.name not in self.laws])
        )
        if self.relation is ORDER and self.rng.below(2):
            operation, law = plus, "add_le_add"
        else:
            operation, law = times, self.relation.product
        left, right = operation(last.left, given.left), operation(last.right, given.right)
        self._add(left, right, lemma(law, var(last.name), var(given.name)), last.name, given.name)

    def _kept(self, last: _Fact) -> None:
        """Applies a function that respects the relation."""
        name = self.rng.choice(_KEEPS[: 1 + self.level // 5])
        law = self._law(name)
        term = call(law, last.left, last.right, var(last.name))
        self._add(call(name, last.left), call(name, last.right), term, last.name, law)

    def _raised(self, last: _Fact) -> None:
        """To the value of an increasing function."""
        name = self.rng.choice(_RAISES[: 1 + self.level // 5])
        law = self._law(name)
        term = lemma(self.relation.trans, var(last.name), call(law, last.right))
        self._add(last.left, call(name, last.right), term, last.name, law)


# -- false look-alikes ------------------------------------------------------------------------------------------------


def _refuted(
    rng: Stream, relation: Relation, premises: list[tuple[str, Expr]], last: _Fact, effort: int
) -> Sketch | None:
    """The claim with one premise changed, and values refuting it.

    The premise is removed or reversed.
    """
    plain = [at for at, (_, says) in enumerate(premises) if says.op != "all"]
    at = rng.choice(plain)
    parts = [says for _, says in premises]
    turned = parts[at].args[::-1]
    parts[at : at + 1] = [relation.of(*turned)] if rng.below(2) and turned[0] != turned[1] else []
    goal = relation.of(last.left, last.right)
    names = _names([*parts, goal])
    letters = [name for name, sort in names if sort == NAT]
    raised = [name for name, sort in names if sort == _FUNCTION and name in _RAISES]
    for _ in range(_TRIES):
        up = {name: bool(rng.below(2)) for name in raised}
        values = _values(rng, relation, [says for says in parts if says.op != "all"], letters, up)
        if values is None:
            continue
        left, right = (_number(side, values, up) for side in (last.left, last.right))
        if relation.holds(left, right) or (relation is DIVISION and not 0 < right < left):
            continue
        claim = closed(names, parts, goal)
        return Sketch(claim, tuple(_shown(relation, names, parts, (left, right), values, up)), effort)
    return None


def _number(expr: Expr, values: dict[str, int], up: dict[str, bool]) -> int:
    """The value of a term.

    An increasing function doubles, or is the identity.
    """
    if expr.op == "var":
        return values[expr.name]
    args = [_number(arg, values, up) for arg in expr.args]
    if expr.op == "call":
        return args[0] * (1 + up.get(expr.name, False))
    return args[0] + args[1] if expr.op == "plus" else args[0] * args[1]


def _values(
    rng: Stream, relation: Relation, parts: list[Expr], letters: list[str], up: dict[str, bool]
) -> dict[str, int] | None:
    """Small numbers that satisfy the premises, else None.

    Found with a few repairs.
    """
    values = {name: 1 + rng.below(3) for name in letters}
    for _ in range(20):
        wrong = [p for p in parts if not relation.holds(*(_number(side, values, up) for side in p.args))]
        if not wrong:
            return values
        left, right = rng.choice(wrong).args
        if right.op == "var":
            values[right.name] = _number(left, values, up)
        elif left.op == "var":
            values[left.name] = _number(right, values, up) if rng.below(2) else 1
        else:
            return None
        if max(values.values()) > 200:
            return None
    return None


def _shown(
    relation: Relation,
    names: list[tuple[str, Sort]],
    parts: list[Expr],
    sides: tuple[int, int],
    values: dict[str, int],
    up: dict[str, bool],
) -> list[Step]:
    """The steps that refute the claim with these values."""
    terms = []
    for name, sort in names:
        body = plus(var("z"), var("z")) if up.get(name) else var("z")
        terms.append(num(values[name]) if sort == NAT else Expr("lam", (body,), "z", NAT))
    given = call("k", *terms, *[_HOLE] * len(parts))
    left, right = map(num, sides)
    if relation is DIVISION:
        steps = [intro("k"), apply(lemma("absurd", lemma("le_of_dvd", _HOLE, given), _HOLE))]
        steps += [show(Expr("lt", (num(0), right))), Step("decide")]
    else:
        steps = [intro("k"), apply(lemma("absurd", given, _HOLE))]
    for at, part in enumerate(parts):
        steps += _held(relation, part, f"x{at}", values, up)
    return [*steps, show(no(le(left, right))), Step("decide")]


def _held(relation: Relation, part: Expr, x: str, values: dict[str, int], up: dict[str, bool]) -> list[Step]:
    """Proves a premise for the values."""
    if part.op != "all":
        left, right = (_number(side, values, up) for side in part.args)
        if relation is ORDER:
            return [show(le(num(left), num(right))), Step("decide")]
        factor = num(right // left if left else 0)
        return [Step("exists", (), (factor,)), Step("rfl")]
    inner = part.args[0]
    if inner.op == "all":  # the function is the identity, so the goal is an assumption
        return [intro(x, f"{x}y", f"{x}k"), exact(var(f"{x}k"))]
    name = inner.args[1].name
    if not up[name]:
        return [intro(x), exact(lemma(relation.reflexive, var(x)))]
    doubled = plus(var(x), var(x))
    if relation is ORDER:
        return [intro(x), exact(lemma("le_add_right", var(x), var(x)))]
    same = lemma("dvd_refl", var(x))
    return [intro(x), show(divides(var(x), doubled)), exact(lemma("dvd_add", same, same))]

"""Functions on lists of numbers, and theorems about combining them.

They map, repeat, reverse or measure. A claim rewrites an expression by lemmas, each proved by induction, some with
further lemmas: a measure of a reversed list is that of the list, a map of two appended lists is the maps appended. A
false look-alike has one call removed or two lists swapped, refuted by short lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from envhub.core.seeding import Stream
from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.function_lemmas import Lemma, Value, inferences, proof, rewritten, uses, value, written
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, intro, rewrite, show
from envhub.generators.theorems.syntax import LIST, Expr, call, closed, eq, lemma, num, plus, times, var

_X, _XS, _YS = var("x"), var("xs"), var("ys")
_Z, _ZS = var("z"), var("zs")
_NIL = Expr("nil")
_LONGEST = 12
_NAMES = ["f", "g", "h", "s", "u"]


def _cons(a: Expr, b: Expr) -> Expr:
    return Expr("cons", (a, b))


def _append(a: Expr, b: Expr) -> Expr:
    return Expr("append", (a, b))


def sketch(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of about the requested length, or None."""
    library = _Library(rng, rng.sample(_NAMES, len(_NAMES)))
    if level <= 2:
        chosen = rng.choice([each for each in library.lemmas if not each.needs])
        names, left, right, steps = list(chosen.names), chosen.left, chosen.right, list(chosen.steps)
    else:
        left = library.expression(1 + level // 3 + rng.below(2))
        found = _way(library.lemmas, left)
        if found is None:
            return None
        way, right = found
        names = [(name, LIST) for name in ("a", "b") if _mentions(left, name)]
        steps = proof([name for name, _ in names], way, "rfl")
    functions = library.used(left)
    if holds:
        return Sketch(closed(names, [], eq(left, right)), tuple(steps), inferences(steps), functions)
    bound = [name for name, _ in names]
    wrong = _spoiled(rng, right)
    known = {function.name: function for function in functions}
    for _ in range(6):
        values: dict[str, Value] = {name: [rng.below(4) for _ in range(1 + rng.below(3))] for name in bound}
        if wrong is not None and value(left, known, values) != value(wrong, known, values):
            given = call("k", *(written(values[name]) for name in bound))
            claim = closed(names, [], eq(left, wrong))
            return Sketch(claim, (intro("k"), Step("compute", (), (given,))), inferences(steps), functions)
    return None


def _way(lemmas: list[Lemma], expr: Expr) -> tuple[list[tuple[Lemma, tuple[Expr, ...]]], Expr] | None:
    """Rewrites by lemmas, earlier first, to the end.

    None if impossible or too long.
    """
    way: list[tuple[Lemma, tuple[Expr, ...]]] = []
    while found := [(each, args) for each in lemmas for args in uses(each, expr)]:
        way.append(found[0])
        expr = rewritten(*found[0], expr)
        if len(way) > _LONGEST:
            return None
    return (way, expr) if way else None


def _mentions(expr: Expr, name: str) -> bool:
    return (expr.op == "var" and expr.name == name) or any(_mentions(arg, name) for arg in expr.args)


def _spoiled(rng: Stream, expr: Expr) -> Expr | None:
    """With an append's lists swapped, or a list call removed."""
    places = _places(expr)
    return _changed(expr, rng.below(places))[0] if places else None


def _spoils(expr: Expr) -> bool:
    lists = expr.op == "call" and expr.args[0].op in ("call", "var", "append")
    return (expr.op == "append" and expr.args[0] != expr.args[1]) or (lists and expr.args[0].op == "call")


def _places(expr: Expr) -> int:
    return _spoils(expr) + sum(map(_places, expr.args))


def _changed(expr: Expr, at: int) -> tuple[Expr, int]:
    if _spoils(expr):
        if at == 0:
            if expr.op == "append":
                return _append(expr.args[1], expr.args[0]), -1
            return Expr("call", expr.args[0].args, expr.name), -1
        at -= 1
    args = []
    for arg in expr.args:
        if at >= 0:
            arg, at = _changed(arg, at)
        args.append(arg)
    return Expr(expr.op, tuple(args), expr.name, expr.sort), at


def _by_induction(
    name: str,
    left: Expr,
    right: Expr,
    base: list[Step],
    step: list[Step],
    *,
    second: bool = False,
    needs: tuple[Lemma, ...] = (),
) -> Lemma:
    """A lemma about ``xs`` (and ``ys``).

    ``z`` and ``zs`` are first member and rest.
    """
    names = (("xs", LIST), *[("ys", LIST)] * second)
    start = [intro(*(each for each, _ in names)), Step("lists", ("xs", "z", "zs", "ih"))]
    return Lemma(name, names, left, right, (*start, *base, Step("step", ("z", "zs", "ih")), *step), needs)


_RFL = Step("rfl")


@dataclass
class _Library:
    """A random selection of functions with lemmas about them."""

    rng: Stream
    names: list[str]
    functions: dict[str, Function] = field(default_factory=dict)
    lemmas: list[Lemma] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reverse, self.maps, self.repeats, self.measure = self.names[:4]
        self._reversal()
        self._element()
        self._repetition()
        self._measures()

    def used(self, expr: Expr) -> tuple[Function, ...]:
        """The functions in an expression."""
        wanted = {name for name in self.functions if _calls(expr, name)}
        return tuple(function for name, function in sorted(self.functions.items()) if name in wanted)

    def expression(self, depth: int) -> Expr:
        """A measure, or a list."""
        return call(self.measure, self._list(depth)) if self.rng.below(2) else self._list(depth + 1)

    def _list(self, depth: int) -> Expr:
        if depth <= 0:
            return self.rng.choice([var("a"), var("b")])
        if self.rng.below(3) == 0:
            return _append(self._list(depth - 1), self._list(self.rng.below(depth)))
        return call(self.rng.choice([self.reverse, self.reverse, self.maps, self.repeats]), self._list(depth - 1))

    # -- functions and their lemmas ------------------------------------------------------------------------------------

    def _add(self, function: Function) -> Callable[[Expr], Expr]:
        self.functions[function.name] = function
        return function.of

    def _reversal(self) -> None:
        r = self._add(
            Function(self.reverse, ("List", "List"), (), _NIL, _append(call(self.reverse, _XS), _cons(_X, _NIL)))
        )
        single = _cons(_Z, _NIL)
        apart = _by_induction(
            f"{self.reverse}a",
            r(_append(_XS, _YS)),
            _append(r(_YS), r(_XS)),
            [show(eq(r(_YS), _append(r(_YS), _NIL))), rewrite(lemma("append_nil", r(_YS))), _RFL],
            [
                show(eq(_append(r(_append(_ZS, _YS)), single), _append(r(_YS), _append(r(_ZS), single)))),
                rewrite(var("ih")),
                rewrite(lemma("append_assoc", r(_YS), r(_ZS), single)),
                _RFL,
            ],
            second=True,
        )
        twice = _by_induction(
            f"{self.reverse}r",
            r(r(_XS)),
            _XS,
            [_RFL],
            [
                show(eq(r(_append(r(_ZS), single)), _cons(_Z, _ZS))),
                apart.used(r(_ZS), single),
                show(eq(_cons(_Z, r(r(_ZS))), _cons(_Z, _ZS))),
                rewrite(var("ih")),
                _RFL,
            ],
            needs=(apart,),
        )
        self.lemmas += [twice, apart]

    def _homomorphism(self, name: str, head: Callable[[Expr], Expr]) -> Lemma:
        """A function of two appended lists; ``head`` prepends the result for ``z``."""
        of = self.functions[name].of
        return _by_induction(
            f"{name}a",
            of(_append(_XS, _YS)),
            _append(of(_XS), of(_YS)),
            [_RFL],
            [
                show(eq(head(of(_append(_ZS, _YS))), head(_append(of(_ZS), of(_YS))))),
                rewrite(var("ih")),
                _RFL,
            ],
            second=True,
        )

    def _element(self) -> None:
        by = self.rng.between(2, 9)
        r = self.functions[self.reverse].of
        changed = self.rng.choice([plus(_X, num(by)), times(_X, num(by))])
        new = Expr(changed.op, (_Z, num(by)))
        m = self._add(Function(self.maps, ("List", "List"), (), _NIL, _cons(changed, call(self.maps, _XS))))
        apart = self._homomorphism(self.maps, lambda rest: _cons(new, rest))
        single = _cons(_Z, _NIL)
        around = _by_induction(
            f"{self.maps}r",
            m(r(_XS)),
            r(m(_XS)),
            [_RFL],
            [
                show(eq(m(_append(r(_ZS), single)), _append(r(m(_ZS)), _cons(new, _NIL)))),
                apart.used(r(_ZS), single),
                rewrite(var("ih")),
                _RFL,
            ],
            needs=(apart,),
        )
        self.lemmas += [around, apart]

    def _repetition(self) -> None:
        r = self.functions[self.reverse].of
        t = self._add(Function(self.repeats, ("List", "List"), (), _NIL, _cons(_X, _cons(_X, call(self.repeats, _XS)))))
        apart = self._homomorphism(self.repeats, lambda rest: _cons(_Z, _cons(_Z, rest)))
        single = _cons(_Z, _NIL)
        around = _by_induction(
            f"{self.repeats}r",
            t(r(_XS)),
            r(t(_XS)),
            [_RFL],
            [
                show(eq(t(_append(r(_ZS), single)), _append(_append(r(t(_ZS)), single), single))),
                apart.used(r(_ZS), single),
                rewrite(var("ih")),
                rewrite(lemma("append_assoc", r(t(_ZS)), single, single)),
                _RFL,
            ],
            needs=(apart,),
        )
        self.lemmas += [around, apart]

    def _measures(self) -> None:
        weighs = self.rng.below(2)
        by, more = num(self.rng.between(2, 9)), num(self.rng.between(1, 9))
        grown = plus(times(_X, by), more) if weighs else by
        own = plus(times(_Z, by), more) if weighs else by
        l = self._add(Function(self.measure, ("List", "Nat"), (), num(0), plus(call(self.measure, _XS), grown)))  # noqa: E741
        r, t, m = (self.functions[name].of for name in (self.reverse, self.repeats, self.maps))
        apart = _by_induction(
            f"{self.measure}a",
            l(_append(_XS, _YS)),
            plus(l(_XS), l(_YS)),
            [show(eq(l(_YS), plus(num(0), l(_YS)))), Step("ring")],
            [
                show(eq(plus(l(_append(_ZS, _YS)), own), plus(plus(l(_ZS), own), l(_YS)))),
                rewrite(var("ih")),
                Step("order"),
            ],
            second=True,
        )
        single = _cons(_Z, _NIL)
        around = _by_induction(
            f"{self.measure}r",
            l(r(_XS)),
            l(_XS),
            [_RFL],
            [
                show(eq(l(_append(r(_ZS), single)), plus(l(_ZS), own))),
                apart.used(r(_ZS), single),
                show(eq(plus(l(r(_ZS)), plus(num(0), own)), plus(l(_ZS), own))),
                rewrite(var("ih")),
                Step("ring"),
            ],
            needs=(apart,),
        )
        doubled = _by_induction(
            f"{self.measure}t",
            l(t(_XS)),
            plus(l(_XS), l(_XS)),
            [_RFL],
            [
                show(eq(plus(plus(l(t(_ZS)), own), own), plus(plus(l(_ZS), own), plus(l(_ZS), own)))),
                rewrite(var("ih")),
                Step("order"),
            ],
        )
        self.lemmas += [around, doubled, apart]
        if not weighs:
            same = _by_induction(
                f"{self.measure}m",
                l(m(_XS)),
                l(_XS),
                [_RFL],
                [show(eq(plus(l(m(_ZS)), own), plus(l(_ZS), own))), rewrite(var("ih")), _RFL],
            )
            self.lemmas.append(same)


def _calls(expr: Expr, name: str) -> bool:
    return (expr.op == "call" and expr.name == name) or any(_calls(arg, name) for arg in expr.args)

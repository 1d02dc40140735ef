"""Induction on natural numbers: recursive functions and their closed forms.

Functions grow by a constant, by sums and squares, by another argument, or carry an accumulator; each has a closed form,
proved by induction (for all values of an accumulator). A claim is about an expression of calls, some nested. A false
look-alike is off by a little, refuted by numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from envhub.core.seeding import Stream
from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.function_lemmas import Lemma, Value, inferences, proof, rewritten, uses, value, written
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, intro, rewrite, show
from envhub.generators.theorems.syntax import NAT, Expr, call, closed, eq, num, plus, replaced, succ, times, var

_N, _Y, _M = var("n"), var("y"), var("m")


def sketch(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of about the requested length, or None."""
    kinds: list[Callable[[Stream, str], tuple[Lemma, Function]]] = (
        [_linear] if level == 1 else [_linear, _square, _carried, _two]
    )
    names = rng.sample(["f", "g", "h", "s", "u"], 1 + (level >= 5) + (level >= 8))
    made = [rng.choice(kinds)(rng, name) for name in sorted(names)]
    lemmas = [lemma for lemma, _ in made]
    functions = tuple(function for _, function in made)
    if level <= 2:
        lemma = lemmas[0]
        claim, steps = lemma.statement, list(lemma.steps)
        sides, bound = (lemma.left, lemma.right), [name for name, _ in lemma.names]
    else:
        linear = {lemma.left.name for lemma in lemmas if "times" not in {arg.op for arg in _products(lemma.right)}}
        left = _expression(rng, functions, rng.below(4), linear if level >= 6 else set())
        found = _way(lemmas, left)
        if found is None:
            return None
        way, right = found
        right, end = _shuffled(rng, right)
        bound = [name for name in ("a", "b") if _mentions(left, name)]
        sides = (left, right)
        claim = closed([(name, NAT) for name in bound], [], eq(left, right))
        steps = proof(bound, way, end)
    if holds:
        return Sketch(claim, tuple(steps), inferences(steps), functions)
    return refuted(rng, functions, bound, sides, inferences(steps))


def _mentions(expr: Expr, name: str) -> bool:
    return (expr.op == "var" and expr.name == name) or any(_mentions(arg, name) for arg in expr.args)


def _way(lemmas: list[Lemma], expr: Expr) -> tuple[list[tuple[Lemma, tuple[Expr, ...]]], Expr] | None:
    """Rewrites by closed forms, inside out, to the end.

    None if a lemma is unused.
    """
    way: list[tuple[Lemma, tuple[Expr, ...]]] = []
    while True:
        found = [(lemma, args) for lemma in lemmas for args in uses(lemma, expr)]
        inner = [(lemma, args) for lemma, args in found if not any(uses(each, arg) for arg in args for each in lemmas)]
        if not inner:
            break
        lemma, args = inner[0]
        way.append((lemma, args))
        expr = rewritten(lemma, args, expr)
    return (way, expr) if {lemma.name for lemma, _ in way} == {lemma.name for lemma in lemmas} else None


def _shuffled(rng: Stream, expr: Expr) -> tuple[Expr, str]:
    """Reorders the outermost summands, with the step that restores their order."""
    parts = _summands(expr)
    mixed = rng.sample(parts, len(parts))
    whole = mixed[0]
    for each in mixed[1:]:
        whole = plus(whole, each)
    return whole, "rfl" if whole == expr else "order"


def _summands(expr: Expr) -> list[Expr]:
    return [each for arg in expr.args for each in _summands(arg)] if expr.op == "plus" else [expr]


def _products(expr: Expr) -> list[Expr]:
    """First factors of its products.

    One that is a product or sum has a greater degree.
    """
    own = list(expr.args) if expr.op == "times" else []
    return own + [each for arg in expr.args for each in _products(arg)]


def _expression(rng: Stream, functions: tuple[Function, ...], extra: int, linear: set[str]) -> Expr:
    """A sum of calls and products of two that calls every function.

    ``linear`` ones may nest.
    """
    calls: list[Expr] = []
    for function in [*functions, *(rng.choice(functions) for _ in range(extra))]:
        args = [rng.choice([var("a"), var("b"), var("a"), plus(var("a"), var("b"))]) for _ in function.sort[:-1]]
        last = calls[-1] if calls else None
        simple = last is not None and last.op == "call" and last.name in linear and function.name in linear
        if simple and calls and rng.below(2) and max(arg.size for arg in calls[-1].args) == 1:
            args[0] = calls.pop()
        one = call(function.name, *args)
        if simple and calls and rng.below(3) == 0:
            one = times(calls.pop(), one)
        calls.append(one)
    whole = calls[0]
    for each in calls[1:]:
        whole = plus(whole, each)
    return whole


def _induction(function: Function, name: str, right: Expr) -> Lemma:
    """The closed form of a function.

    ``right`` contains ``n`` and the other arguments.
    """
    others = function.others
    before, ih = "m", "ih"
    values = {"n": succ(_M)}
    names = (("n", NAT), *((other, NAT) for other in others))
    left = call(function.name, _N, *map(var, others))
    after = function.at_step({"n": _M}, *map(var, others))
    (inner,) = _calls(after, function.name)
    steps = [
        intro("n"),
        Step("numbers", ("n", before, ih)),
        *[intro(*others)] * bool(others),
        show(eq(function.base, replaced(right, {"n": num(0)}))),
        Step("ring"),
        Step("step", (before, ih)),
        *[intro(*others)] * bool(others),
        show(eq(after, replaced(right, values))),
        rewrite(call(ih, *inner[1:])),
        Step("ring"),
    ]
    return Lemma(name, names, left, right, tuple(steps))


def _calls(expr: Expr, name: str) -> list[tuple[Expr, ...]]:
    own = [expr.args] if expr.op == "call" and expr.name == name else []
    return own + [each for arg in expr.args for each in _calls(arg, name)]


def _linear(rng: Stream, name: str) -> tuple[Lemma, Function]:
    """Grows by a constant."""
    start, by = rng.between(2, 9), rng.between(2, 9)
    function = Function(name, ("Nat", "Nat"), (), num(start), _either(rng, call(name, _N), num(by)))
    right = plus(times(_N, num(by)), num(start))
    return _induction(function, f"l{name}", right), function


def _square(rng: Stream, name: str) -> tuple[Lemma, Function]:
    """Grows by a difference of squares, some squares, and a constant."""
    start, by = rng.between(2, 9), rng.between(2, 9)
    grown = plus(times(plus(plus(_N, _N), num(1)), num(by)), num(start))
    function = Function(name, ("Nat", "Nat"), (), num(start), _either(rng, call(name, _N), grown))
    right = plus(times(times(_N, _N), num(by)), plus(times(_N, num(start)), num(start)))
    return _induction(function, f"l{name}", right), function


def _two(rng: Stream, name: str) -> tuple[Lemma, Function]:
    """Grows by its second argument and a constant."""
    start, by = rng.between(2, 9), rng.between(2, 9)
    grown = _either(rng, _Y, num(by))
    function = Function(
        name, ("Nat", "Nat", "Nat"), ("y",), times(_Y, num(start)), _either(rng, call(name, _N, _Y), grown)
    )
    right = plus(times(_N, plus(_Y, num(by))), times(_Y, num(start)))
    return _induction(function, f"l{name}", right), function


def _carried(rng: Stream, name: str) -> tuple[Lemma, Function]:
    """Carries an accumulator."""
    by = rng.between(2, 9)
    grown = rng.choice([num(by), plus(_N, plus(_N, num(1)))])
    function = Function(name, ("Nat", "Nat", "Nat"), ("y",), _Y, call(name, _N, _either(rng, _Y, grown)))
    right = plus(_Y, times(_N, num(by) if grown.op == "num" else _N))
    return _induction(function, f"l{name}", right), function


def _either(rng: Stream, one: Expr, other: Expr) -> Expr:
    """A sum in a random order."""
    return plus(one, other) if rng.below(2) else plus(other, one)


def refuted(
    rng: Stream, functions: tuple[Function, ...], bound: list[str], sides: tuple[Expr, Expr], effort: int
) -> Sketch | None:
    """The claim with another right side, and small numbers that refute it."""
    left, right = sides
    wrong = _spoiled(rng, right)
    known = {function.name: function for function in functions}
    for _ in range(8):
        values: dict[str, Value] = {name: rng.below(3) for name in bound}
        if value(left, known, values) != value(wrong, known, values):
            claim = closed([(name, NAT) for name in bound], [], eq(left, wrong))
            given = call("k", *(written(values[name]) for name in bound))
            return Sketch(claim, (intro("k"), Step("compute", (), (given,))), effort, functions)
    return None


def _spoiled(rng: Stream, expr: Expr) -> Expr:
    """With one numeral or name replaced."""
    places = _leaves(expr)
    at = rng.below(places)
    return _changed(rng, expr, at)[0]


def _leaves(expr: Expr) -> int:
    return sum(map(_leaves, expr.args)) if expr.args else 1


def _changed(rng: Stream, expr: Expr, at: int) -> tuple[Expr, int]:
    if not expr.args:
        if at:
            return expr, at - 1
        if expr.op == "num":
            return num(int(expr.name) + rng.between(1, 3)), -1
        return plus(expr, num(1)), -1
    args = []
    for arg in expr.args:
        if at >= 0:
            arg, at = _changed(rng, arg, at)
        args.append(arg)
    return Expr(expr.op, tuple(args), expr.name, expr.sort), at

"""Equations: what is planted solves them and nothing else does; text, canonical form and solver mean what they say."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.rule_based.equation import equations as E, planting

styles = st.builds(
    planting.Style,
    size=st.integers(2, 40),
    brackets=st.integers(0, 3),
    nesting=st.integers(1, 3),
    divisor=st.integers(1, 7),
    both_sides=st.booleans(),
)
kinds = st.sampled_from([("linear", "x"), ("quadratic", "t"), ("system", "xy"), ("system", "abc"), ("system", "wxyz")])
seeds = st.integers(0, 2**32)


def term(*values: Any) -> JSON:
    """``term(2, "x")`` is 2*x, ``term(2)`` is 2."""
    return [values[0], 1, list(values[1:])]


def linear(text: str) -> JSON:
    """``"2x + 3 = -y"``: terms parted by spaces."""
    sides: list[JSON] = [[], []]
    at, sign = 0, 1
    for word in text.split():
        if word == "=":
            at, sign = 1, 1
        elif word in "+-":
            sign = -1 if word == "-" else 1
        else:
            letters = [c for c in word if c.isalpha()]
            digits = word.rstrip("".join(letters) or " ")
            sides[at].append([sign * int(digits or 1), 1, letters])
            sign = 1
    return sides


def planted(seed: int, kind: Any, names: str, style: planting.Style, denominator: int = 6) -> Any:
    return planting.plant(
        Stream(b"test", seed),
        kind=kind,
        unknowns=list(names),
        reach=20,
        denominator=denominator,
        style=style,
    )


def by_python(side: JSON, values: dict[str, Fraction]) -> Fraction:
    """The rendered text, evaluated by Python: our own text, never a policy's."""
    text = E.render(side)
    number = ""
    out = []
    for c in [*text, " "]:
        if c.isdigit():
            number += c
            continue
        if number:
            out.append(number if out and out[-1] == "**" else f"F({number})")
            number = ""
        out.append("**" if c == "^" else c)
    return Fraction(eval("".join(out), {"__builtins__": {}, "F": Fraction, **values}))


@given(seeds, kinds, styles)
@settings(max_examples=150)
def test_what_is_planted_is_what_solving_gives(seed: int, kind: tuple[str, str], style: planting.Style) -> None:
    made = planted(seed, *kind, style)
    if made is None:
        assert kind[0] == "system"  # the rows may depend on each other
        return
    equations, solutions = made
    assert E.solve(equations, list(kind[1])).solutions == solutions
    assert len(solutions) <= (2 if kind[0] == "quadratic" else 1)
    for solution in solutions:
        assert E.satisfies(equations, dict(zip(kind[1], solution, strict=True)))
        assert all(abs(value) <= 20 and value.denominator <= 6 for value in solution)
        for i in range(len(solution)):  # no neighbour solves
            moved = [value + (j == i) * Fraction(1, 7) for j, value in enumerate(solution)]
            if tuple(moved) not in solutions:
                assert not E.satisfies(equations, dict(zip(kind[1], moved, strict=True)))


@given(seeds, styles, st.fractions(-30, 30, max_denominator=7))
@settings(max_examples=60)
def test_a_root_is_the_only_one_where_the_equation_is_symmetric_about_it(
    seed: int, style: planting.Style, number: Fraction
) -> None:
    (equation,), solutions = planted(seed, "quadratic", "x", style)
    for (root,) in solutions:
        assert E.is_double_root(equation, "x", root) == (len(solutions) == 1)
    square: JSON = [[[1, 1, [[[1, 1, ["x"]], [-number.numerator, number.denominator, []]]] * 2]], []]
    assert E.is_double_root(square, "x", number)
    assert not E.is_double_root(square, "x", number + 1)


@given(seeds, kinds, styles, st.lists(st.fractions(-9, 9, max_denominator=5), min_size=4, max_size=4))
@settings(max_examples=80)
def test_text_evaluation_and_expansion_agree(
    seed: int, kind: tuple[str, str], style: planting.Style, numbers: list[Fraction]
) -> None:
    made = planted(seed, *kind, style)
    values = dict(zip(kind[1], numbers, strict=False))
    for side in (side for equation in (made[0] if made else []) for side in equation):
        value = E.evaluate(side, values)
        assert by_python(side, values) == value
        total = Fraction(0)
        for names, coefficient in E.expand(side).items():
            for name in names:
                coefficient *= values[name]
            total += coefficient
        assert total == value


@pytest.mark.parametrize(
    ("side", "text"),
    [
        ([], "0"),
        ([term(-1, "x")], "-x"),
        ([term(2, "x", "x"), term(-1, "x"), term(-7)], "2*x^2 - x - 7"),
        ([[17, 12, []], [-3, 4, ["x"]]], "17/12 - 3*x/4"),
        ([[1, 2, [[term(2, "x"), term(-5)]]]], "(2*x - 5)/2"),
        ([[-3, 1, ["x", [term(1, "x"), term(1)]]]], "-3*x*(x + 1)"),
        ([[1, 1, [[term(1, "x"), term(1)], [term(1, "x"), term(1)]]]], "(x + 1)^2"),
        ([[4, 1, [[term(1), [-2, 1, [[term(1, "y"), term(3)]]]]]]], "4*(1 - 2*(y + 3))"),
    ],
)
def test_text(side: JSON, text: str) -> None:
    assert E.render(side) == text


@pytest.mark.parametrize(
    ("equations", "unknowns", "solutions"),
    [
        (["3x + 5 = 11"], "x", [(2,)]),
        (["2x = 5x - 7"], "x", [(Fraction(7, 3),)]),
        (["xx = 9"], "x", [(-3,), (3,)]),
        (["xx + 4 = 4x"], "x", [(2,)]),
        (["6xx - 5x = 0 - 1"], "x", [(Fraction(1, 3),), (Fraction(1, 2),)]),
        (["5xx = 0"], "x", [(0,)]),
        (["xx + 3x = xx + 6"], "x", [(2,)]),
        (["x + y = 5", "x - y = 2"], "xy", [(Fraction(7, 2), Fraction(3, 2))]),
        (["y = 3", "x + y = 1"], "xy", [(-2, 3)]),  # no first coefficient to divide by
        (["x + y + z = 6", "x - y = 0 - 1", "2z = 6"], "xyz", [(1, 2, 3)]),
    ],
)
def test_solutions_worked_by_hand(equations: list[str], unknowns: str, solutions: list[tuple[Any, ...]]) -> None:
    assert E.solve([linear(text) for text in equations], list(unknowns)).solutions == solutions


@pytest.mark.parametrize(
    ("equations", "unknowns"),
    [
        (["xx = 2"], "x"),
        (["xx = 0 - 4"], "x"),
        (["x = x"], "x"),
        (["x + 1 = x"], "x"),
        (["xxx = 8"], "x"),
        (["x + y = 1"], "xy"),
        (["x + y = 1", "2x + 2y = 2"], "xy"),
        (["x + y = 1", "x + y = 2"], "xy"),
        (["xy = 1", "x + y = 2"], "xy"),
    ],
)
def test_what_has_no_unique_or_no_rational_solution_is_an_error(equations: list[str], unknowns: str) -> None:
    with pytest.raises(ValueError, match=r"solution|rational|method"):
        E.solve([linear(text) for text in equations], list(unknowns))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["3x + 5 = 11"], ["6x + 10 = 22"]),
        (["3x + 5 = 11"], ["11 = 5 + 3x"]),
        (["3x + 5 = 11"], ["0 - 3x - 5 = 0 - 11"]),
        (["3x + 5 = 11"], ["x + 2x + 7 - 2 = 11"]),
        (["3x + y = 4", "x = 7"], ["x = 7", "3x + y = 4"]),
        (["3x + y = 4", "x = 7"], ["3y + x = 4", "y = 7"]),
    ],
)
def test_ways_to_write_an_equation_are_one_problem(one: list[str], other: list[str]) -> None:
    names = sorted({c for c in "".join(one) if c.isalpha()})
    assert E.canonical([*map(linear, one)], names) == E.canonical([*map(linear, other)], names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["3x + 5 = 11"], ["3x = 6"]),
        (["3x + 5 = 11"], ["3x - 5 = 11"]),
        (["3x + 5 = 11"], ["6x + 10 = 11"]),
        (["3x + 5 = 11"], ["3xx + 5 = 11"]),
        (["3x + 5 = 11"], ["5x + 3 = 11"]),
        (["3x + y = 4", "x = 7"], ["3x + y = 4", "y = 7"]),
    ],
)
def test_other_equations_are_other_problems(one: list[str], other: list[str]) -> None:
    names = sorted({c for c in "".join(one) if c.isalpha()})
    assert E.canonical([*map(linear, one)], names) != E.canonical([*map(linear, other)], names)


@given(seeds, kinds, styles, st.randoms(use_true_random=False), st.integers(2, 9))
@settings(max_examples=60)
def test_the_canonical_form_ignores_names_order_sides_and_scale(
    seed: int, kind: tuple[str, str], style: planting.Style, random: Any, factor: int
) -> None:
    made = planted(seed, *kind, style)
    if made is None:
        return
    names = dict(zip(kind[1], random.sample("klmnuv", len(kind[1])), strict=True))

    def rewritten(side: JSON) -> JSON:
        terms = [[n, d, [names[f] if isinstance(f, str) else rewritten(f) for f in factors]] for n, d, factors in side]
        return random.sample(terms, len(terms))

    changed = [[[[-factor, 3, [rewritten(side)]]] for side in pair[::-1]] for pair in made[0]]
    random.shuffle(changed)
    assert E.canonical(changed, sorted(names.values())) == E.canonical(made[0], list(kind[1]))


def test_brackets_nesting_division_and_sides_are_as_asked() -> None:
    def texts(**style: Any) -> list[str]:
        made = [planted(seed, "linear", "x", planting.Style(size=9, **style)) for seed in range(40)]
        return [" = ".join(map(E.render, equations[0])) for equations, _ in made]

    def depth(text: str) -> int:
        levels = [text[:i].count("(") - text[:i].count(")") for i in range(len(text))]
        return max(levels)

    assert {depth(text) for text in texts()} == {0}
    assert {depth(text) for text in texts(brackets=1)} == {1}
    assert {depth(text) for text in texts(brackets=2, nesting=3)} == {3}
    assert {text.count("(") for text in texts(brackets=3)} == {3}
    assert not any(")/" in text for text in texts(brackets=2))
    assert any(")/" in text for text in texts(brackets=2, divisor=5))
    on_both = [all("x" in side for side in text.split("=")) for text in texts(both_sides=True)]
    assert sum(on_both) > 30  # now and then one side's falls away
    assert not any(all("x" in side for side in text.split("=")) for text in texts())


def test_solutions_are_spread_and_some_roots_are_double() -> None:
    found = [planted(seed, "quadratic", "x", planting.Style(size=9), denominator=3)[1] for seed in range(400)]
    single = sum(len(solutions) == 1 for solutions in found)
    assert 20 < single < 90
    assert len({root for solutions in found for root in solutions}) > 90


def test_work_grows_with_what_there_is_to_do() -> None:
    def work(*equations: str) -> int:
        names = sorted({c for text in equations for c in text if c.isalpha()})
        return E.solve([linear(text) for text in equations], names).work

    assert work("3x = 6") < work("333x = 666") < work("333x + 111x = 888")
    assert work("x + y = 5", "x - y = 2") < work("x + y + z = 5", "x - y = 2", "y - z = 3")


def test_linear_systems_of_all_small_coefficients() -> None:
    for a, b, c, d in product((-1, 0, 2), repeat=4):
        equations = [[[term(a, "x"), term(b, "y")], [term(1)]], [[term(c, "x"), term(d, "y")], [term(3)]]]
        if a * d == b * c:
            with pytest.raises(ValueError, match=r"solution|method"):
                E.solve(equations, ["x", "y"])
        else:
            x, y = E.solve(equations, ["x", "y"]).solutions[0]
            assert (a * x + b * y, c * x + d * y) == (1, 3)

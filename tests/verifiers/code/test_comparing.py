"""Values and outputs compared: by built-in types throughout, closely where that is asked for."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.code.comparing import Closely, close_tokens, exactly, same_lines, same_tokens

VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    0.0,
    1.0,
    "",
    "1",
    b"",
    b"1",
    [],
    [1],
    [True],
    [1.0],
    (),
    (1,),
    set(),
    {1},
    {True},
    {1.0},
    frozenset(),
    frozenset({1}),
    {},
    {1: 1},
    {True: 1},
    {1.0: 1},
    {1: True},
    {"1": 1},
    math.inf,
    -math.inf,
    math.nan,
    [[1], (1,)],
    [[1], [1]],
    10**30,
    {(1,): 1},
    {(True,): 1},
    {(1, 2)},
    {(1, 2.0)},
]


@pytest.mark.parametrize("same", [exactly, Closely()], ids=["exactly", "closely"])
def test_nothing_equals_what_is_of_another_type(same: Any) -> None:
    for (i, one), (j, other) in product(enumerate(VALUES), repeat=2):
        loose = same is not exactly and deep_float(one, other)
        assert same(one, other) == (i == j or loose), (one, other)


def deep_float(value: Any, expected: Any) -> bool:
    """An integer where a float is expected will do for Closely, in lists and as values as well."""
    if type(expected) is float and type(value) is int:
        return bool(value == expected)
    if type(expected) is type(value) is list and len(value) == len(expected):
        pairs = list(zip(value, expected, strict=True))
        return any(deep_float(*pair) for pair in pairs) and all(exactly(*p) or deep_float(*p) for p in pairs)
    return False


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.integers() | st.text(max_size=2) | st.booleans(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(plain, plain)
def test_exactly_is_what_repr_says(one: Any, other: Any) -> None:
    assert exactly(one, one)
    assert Closely()(one, one)
    if exactly(one, other):
        assert exactly(other, one)
        assert sorted(repr(one).replace("-0.0", "0.0")) == sorted(repr(other).replace("-0.0", "0.0"))


class Always(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Text(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Row(list[Any]):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None


@pytest.mark.parametrize("liar", [Always(3), Text("x"), Row()])
@pytest.mark.parametrize("same", [exactly, Closely()], ids=["exactly", "closely"])
def test_a_subclass_equals_nothing(liar: Any, same: Any) -> None:
    for value in (3, "x", [], 4, "y", [1], 3.0, None):
        assert not same(liar, value)
        assert not same([liar], [value])
        assert not same({"a": liar}, {"a": value})


@pytest.mark.parametrize(
    ("value", "expected", "right"),
    [
        (1.0000001, 1.0, True),
        (1.00001, 1.0, False),
        (1, 1.0, True),
        (True, 1.0, False),
        ("1.0", 1.0, False),
        (1.0, 1, False),
        (10**400, 1.0, False),
        (1e-10, 0.0, True),
        (1e-8, 0.0, False),
        (math.nan, 1.0, False),
        (math.inf, 1e308, False),
        (math.inf, math.inf, True),
        ([1.0, 2], [1, 2.0], False),
        ([1, 2], [1.0, 2.0], True),
        ((1,), [1.0], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"b": 1}, {"a": 1.0}, False),
        ({True: 1.0}, {1: 1.0}, False),
    ],
)
def test_closely(value: Any, expected: Any, right: bool) -> None:
    assert Closely()(value, expected) is right


@pytest.mark.parametrize(
    ("output", "expected", "lines", "tokens", "close"),
    [
        ("1 2\n", "1 2", True, True, True),
        ("1 2  \n\n", "1 2", True, True, True),
        ("1\n2", "1 2", False, True, True),
        (" 1 2", "1 2", False, True, True),
        ("\n1", "1", False, True, True),
        ("1\n\n2", "1\n2", False, True, True),
        ("1 3", "1 2", False, False, False),
        ("", "", True, True, True),
        ("", "0", False, False, False),
        ("1.0000001", "1.0", False, False, True),
        ("1", "1.0", False, False, True),
        ("1.0", "1", False, False, False),
        ("1e400", "1.5", False, False, False),
        ("nan", "1.0", False, False, False),
        ("inf", "1.0", False, False, False),
        ("1_0.0", "10.0", False, False, False),
        ("x", "X", False, False, False),
        ("9" * 500, "1.0", False, False, False),
        ("1 1", "1", False, False, False),
    ],
)
def test_outputs(output: str, expected: str, lines: bool, tokens: bool, close: bool) -> None:
    assert (same_lines(output, expected), same_tokens(output, expected), close_tokens()(output, expected)) == (
        lines,
        tokens,
        close,
    )


@given(st.text(), st.text())
def test_no_output_raises(one: str, other: str) -> None:
    for same in (same_lines, same_tokens, close_tokens()):
        assert same(one, one)
        assert same(one, other) == same(other, one) or same is not same_lines

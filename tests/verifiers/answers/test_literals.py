"""Python literals as answers: read as Python reads them, bounded, and nothing else is read."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.literals import MAX_CHARS, Literal, read_literal, write_literal
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.code.comparing import exactly

ATOMS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
KEYS = st.integers() | st.text(max_size=4) | st.tuples(st.integers(), st.text(max_size=2))
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(st.integers(), max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_what_python_writes_is_read_with_its_types(value: Any) -> None:
    if len(repr(value)) < MAX_CHARS and "\\U" not in repr(value):
        assert exactly(read_literal(repr(value)), value)
        assert exactly(read_literal(write_literal(value)), value)


@given(st.text(alphabet="[](){},:'\"\\ -+.0123456789eTrueNonset xa\n", max_size=24))
def test_what_is_read_is_what_python_reads(text: str) -> None:
    try:
        value = read_literal(text)
    except Unreadable:
        return
    if "\\{" in text or "\\}" in text:
        return  # as LaTeX has them
    assert exactly(value, ast.literal_eval(" ".join(text.split("\n")).strip()))


@given(st.text(max_size=60))
def test_any_text_gives_a_value_or_a_reason(text: str) -> None:
    reading = Literal().read(text)
    assert reading.reason is None or reading.feedback


@pytest.mark.parametrize(
    "text",
    [
        *("", "[", "]", "[1, 2", "(1", "{1: 2", "{1:}", "[1 2]", "[1,,2]", "(,)", "[,]", "{1, 2: 3}", "{1: 2, 3}"),
        *(
            "f(1)",
            "1 + 2",
            "--1",
            "-'a'",
            "[x for x in y]",
            "__import__('os')",
            "x",
            "nan",
            "inf",
            "1j",
            "b'a'",
            "f'a'",
        ),
        *(
            "007",
            "1_000",
            "0x10",
            "'a' 'b'",
            "'a",
            "'\\q'",
            "Truex",
            "None1",
            "1.5.2",
            "1a",
            "{[]: 1}",
            "{[1]}",
            "{{}}",
        ),
        *("{1: 2, 1: 2}", "{1: 2, True: 3}", "{1, 1}", "9" * 1001, "[" * 30 + "]" * 30, "[" * 5000, "1 " * 9000),
    ],
)
def test_what_is_no_literal_or_beyond_a_bound_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_literal(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1, 2", (1, 2)),
        ("1,", (1,)),
        ("((1))", 1),
        ("set()", set()),
        ("-5", -5),
        ("\\{'a': 1\\}", {"a": 1}),
        ("[1,\n 2,\n]", [1, 2]),
        ('"it\'s"', "it's"),
        ("'\\x41\\n'", "A\n"),
    ],
)
def test_forms_that_are_read(text: str, value: Any) -> None:
    assert exactly(read_literal(text), value)


@pytest.mark.parametrize(
    "text",
    [
        "<answer>[1, 2]</answer>",
        "\\boxed{[1, 2]}",
        "so\n[1, 2]",
        "<answer>`[1,2]`</answer>",
        "<answer>```python\n[1, 2]\n```</answer>",
    ],
)
def test_an_answer_is_found_in_every_form(text: str) -> None:
    assert Literal().read(text).value == [1, 2]


def test_two_answers_of_different_types_are_a_hedge() -> None:
    assert Literal().read("<answer>1</answer><answer>True</answer>").reason == "ambiguous"
    assert Literal().read("<answer>[1,2]</answer><answer>[1, 2]</answer>").value == [1, 2]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\N{MINUS SIGN}3", -3),
        ("\N{MINUS SIGN} 3.5", -3.5),
        ("[1, \N{MINUS SIGN}2, (\N{MINUS SIGN}3,)]", [1, -2, (-3,)]),
        ("{\N{MINUS SIGN}1: '\N{MINUS SIGN}1'}", {-1: "\N{MINUS SIGN}1"}),
        ("1e\N{MINUS SIGN}3", 0.001),
        ("'\N{MINUS SIGN}'", "\N{MINUS SIGN}"),
        ('"a\N{MINUS SIGN}3"', "a\N{MINUS SIGN}3"),
    ],
)
def test_a_typographic_minus_is_one_but_in_a_string(text: str, value: Any) -> None:
    assert exactly(read_literal(text), value)
    assert exactly(Literal().read(f"<answer>{text}</answer>").value, value)


@pytest.mark.parametrize(
    "text", ["\N{MINUS SIGN}", "3\N{MINUS SIGN}2", "\N{MINUS SIGN}\N{MINUS SIGN}3", "\N{MINUS SIGN}'a'", "\N{EN DASH}3"]
)
def test_what_a_typographic_minus_does_not_make(text: str) -> None:
    with pytest.raises(Unreadable):
        read_literal(text)


@pytest.mark.parametrize(
    "text", [r"'\0'", r"'\01'", r"'\012'", r"'\0128'", r"'\08'", r"'\377a'", r"'\1\11'", r"'\\01'", r"'\x011'"]
)
def test_escapes_by_number_mean_what_they_mean_in_python(text: str) -> None:
    assert read_literal(text) == ast.literal_eval(text)

"""Literals of Java and JavaScript: a table, round trips, and texts that are none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.adapters.bfcl.literals import (
    JAVA,
    JAVASCRIPT,
    read_java,
    read_javascript,
    split,
    write_java,
    write_javascript,
)


@pytest.mark.parametrize(
    ("text", "kind", "inner", "value"),
    [
        ("-12", "integer", None, -12),
        ("12L", "long", None, 12),
        ("12", "long", None, "12"),
        ("12L", "integer", None, "12L"),
        ("2.5f", "float", None, 2.5),
        ("2.5", "float", None, "2.5"),
        ("2.5", "double", None, 2.5),
        ("2.5f", "double", None, "2.5f"),
        ("1e3", "double", None, 1000.0),
        ("true", "boolean", None, True),
        ("True", "boolean", None, "True"),
        ('"a"', "String", None, '"a"'),
        ("System.out", "any", None, "System.out"),
        ('new String[]{"a, b", "c"}', "Array", "String", ["a, b", "c"]),
        ("new int[] {}", "Array", "integer", []),
        ("new ArrayList<>()", "ArrayList", "String", []),
        ("new ArrayList<Long>(Arrays.asList(1L, 2L))", "ArrayList", "long", [1, 2]),
        ("new ArrayList<Long>() {{ add(1L); add(2L); }}", "ArrayList", "long", [1, 2]),
        ('new HashMap<String, Object>() {{ put("k;", 1); put("t", true); }}', "HashMap", None, {"k;": 1, "t": True}),
        ("new HashMap<>()", "HashMap", None, {}),
        ("envVariables", "HashMap", None, "envVariables"),
        ("new String[]{1, 2}; evil()", "Array", "integer", "new String[]{1, 2}; evil()"),
        ("new ArrayList<>() {{ remove(1); }}", "ArrayList", "long", "new ArrayList<>() {{ remove(1); }}"),
    ],
)
def test_java(text: str, kind: str, inner: str | None, value: Any) -> None:
    found = read_java(text, kind, inner)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "kind", "inner", "value"),
    [
        ("12n", "Bigint", None, 12),
        ("12", "Bigint", None, "12"),
        ("3", "float", None, 3.0),
        ("'a b'", "String", None, "a b"),
        ("a b", "String", None, "a b"),
        ("[1, 2.5]", "array", "float", [1.0, 2.5]),
        ("new Array('a', \"b\")", "array", "String", ["a", "b"]),
        ("[[1, 2], [3]]", "array", None, [[1, 2], [3]]),
        ("{a: 1, 'b': [true, \"x:y\"], c: {d: e}}", "dict", None, {"a": 1, "b": [True, "x:y"], "c": {"d": "e"}}),
        ("{}", "dict", None, {}),
        ("{a}", "dict", None, "{a}"),
        ("[1, 2", "array", "float", "[1, 2"),
        ("[1, 2]]", "array", "float", "[1, 2]]"),
        ("[" * 100 + "]" * 100, "array", None, "[" * 100 + "]" * 100),
        ("options", "dict", None, "options"),
    ],
)
def test_javascript(text: str, kind: str, inner: str | None, value: Any) -> None:
    found = read_javascript(text, kind, inner)
    assert found == value
    assert type(found) is type(value)


PLAIN = st.text(
    st.characters(codec="ascii", exclude_characters="\"'\\\n", categories=["L", "N", "P", "Zs"]), min_size=1
)
ITEMS = {"integer": st.integers(-(10**9), 10**9), "String": PLAIN}


@given(st.sampled_from(["Array", "ArrayList"]), st.sampled_from([*ITEMS]), st.data())
def test_a_list_that_is_written_is_read(kind: str, inner: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ITEMS[inner], max_size=5))
    assert read_java(write_java(values, kind, inner), kind, inner) == values
    assert read_javascript(write_javascript(values, "array", inner), "array", inner) == values


@given(st.dictionaries(PLAIN, st.one_of(st.booleans(), st.integers(-999, 999)), max_size=4))
def test_an_object_that_is_written_is_read(value: dict[str, Any]) -> None:
    assert read_java(write_java(value, "HashMap"), "HashMap") == value
    assert read_javascript(write_javascript(value, "dict"), "dict") == value


@given(st.text(max_size=60), st.sampled_from([*JAVA]), st.sampled_from([*JAVASCRIPT]))
def test_any_text_is_read(text: str, java: str, javascript: str) -> None:
    read_java(text, java, "String")
    read_javascript(text, javascript, "String")
    split(text)

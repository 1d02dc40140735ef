"""JSON in and out is exact."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.server.http.json_text import dumps, loads
from envhub.server.http.problems import InvalidRequest


@pytest.mark.parametrize(
    "value", [2**64, -(2**70), 1e308, 0.1, "\ud800", "ü\u2028\x00", [[[1]]], {"a": None, "b": [True, False]}, 2**53 + 1]
)
def test_what_comes_in_is_what_was_sent(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value).encode()):
        read = loads(text)
        assert read == value
        assert type(read) is type(value)


@pytest.mark.parametrize("text", ["", "{", b"\xff\xfe", "[" * 100_000, "1" * 5_000, "{} {}", "nonsense"], ids=repr)
def test_what_is_no_json_is_told_so(text: Any) -> None:
    with pytest.raises(InvalidRequest, match="body: not JSON"):
        loads(text)


@pytest.mark.parametrize("value", [{"n": 2**70}, {"text": "ü"}, [1.5, None]])
def test_what_goes_out_is_what_was_meant(value: Any) -> None:
    assert json.loads(dumps(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        *('{"turn": 3, "action": "ü"}', b'{"turn": 18446744073709551615}', '{"a:b": "c:\\n:", "d": {"e": [":"]}}'),
        *('{"a": "\\u003a"}', '[{"a": 1.5}, {"b": -18446744073709551617}]', '"\\ud800"', "1.0", "[]", "null"),
        *('{"a": NaN}', "[" * 7 + "]" * 7, "[" * 9 + "]" * 9, '{"a": {"b": {"c": {"d": 1}}}}', "1e400"),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_what_comes_in_is_what_the_standard_library_reads(text: Any) -> None:
    assert repr(loads(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        *('{"a": 1, "a": 2}', b'{"turn": 0, "action": ":", "action": "x"}', '{"a": {"b": 1, "b": 2}}'),
        *(
            '{"a": "\\u003a", "a": "x"}',
            '{"a": "\\u003A:", "a": "x"}',
            '[":", {"a": 1, "a": ":"}]',
            '{"a": 1.5, "a": 2}',
        ),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_a_dropped_key_is_noticed_among_colons(text: Any) -> None:
    with pytest.raises(InvalidRequest, match="occurs more than once in one object"):
        loads(text)


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 1}', b'[{"b": {"c": 1, "d": 2, "c": 3}}]', '{"a": 1, "\\u0061": 2}', '{"": 0, "": 0}']
)
def test_a_key_that_occurs_twice_is_refused(text: Any) -> None:
    with pytest.raises(InvalidRequest, match="occurs more than once in one object"):
        loads(text)


PLAIN = st.dictionaries(st.text(), st.none() | st.booleans() | st.text(":a\\u03") | st.integers(), max_size=4)


@given(PLAIN, st.text(":a"), st.booleans(), st.booleans())
def test_no_value_is_dropped_or_changed(value: Any, key: str, escaped: bool, bytewise: bool) -> None:
    for inner in (value, {"body": value, "id": ":"}, [value, {"body": [value]}]):
        text = json.dumps(inner, ensure_ascii=escaped)
        assert repr(loads(text.encode() if bytewise else text)) == repr(inner)
    twice = json.dumps({key: 1, **value})[:-1] + f', {json.dumps(key)}: ":"}}'
    with pytest.raises(InvalidRequest):
        loads(twice.encode() if bytewise else twice)

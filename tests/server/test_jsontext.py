"""JSON in and out is exact."""

from __future__ import annotations

import json
from typing import Any

import pytest

from envhub.server.jsontext import dumps, loads, loads_plain
from envhub.server.problems import InvalidRequest


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
    "text", ['{"turn": 3, "action": "ü"}', b'{"turn": 18446744073709551615}', "7", '{"a": 1, "a": 2}']
)
def test_what_is_plain_is_read_alike(text: Any) -> None:
    assert loads_plain(text) == loads(text)


@pytest.mark.parametrize(
    "text", ["", "{", b"\xff", '"\\ud800"', "NaN", "[" * 100_000], ids=lambda text: repr(text)[:20]
)
def test_what_is_not_plain_is_left_alone(text: Any) -> None:
    assert loads_plain(text) is None

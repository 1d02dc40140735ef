from __future__ import annotations

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from envhub.sandbox.inside.values import MAX_ALIKE, MAX_DEPTH, MAX_DIGITS, NotAValue, dumps, loads

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=4,  # a strategy of more says so much of itself that hypothesis warns
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=4)
    ),
    max_leaves=20,
)


def exact(value: object) -> object:
    """The value with the type of each part beside it; sets and dicts in no order."""
    if isinstance(value, list | tuple):
        return type(value), tuple(map(exact, value))
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(exact, value))
    if isinstance(value, dict):
        return dict, frozenset((exact(key), exact(item)) for key, item in value.items())
    return type(value), repr(value)


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_what_goes_in_comes_out(value: object) -> None:
    body = dumps(value)
    assert exact(loads(body, len(body))) == exact(value)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=300, deadline=None)
def test_no_bytes_raise_anything_but_that_they_are_no_value(data: bytes) -> None:
    with suppress(NotAValue):
        loads(data, 1 << 20)


HOSTILE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.just({"float": "nan"}),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(st.sampled_from(["tuple", "set", "frozenset", "bytes", "float"]), inner).map(
            lambda pair: dict([pair])
        )
        | st.lists(st.lists(inner, min_size=2, max_size=2), max_size=3).map(lambda pairs: {"dict": pairs})
    ),
    max_leaves=12,
)


@given(HOSTILE, st.integers(0, 4))
@settings(max_examples=300, deadline=None)
def test_what_was_read_can_be_written(plain: object, depth: int) -> None:
    body = json.dumps(plain).encode()
    with suppress(NotAValue):
        value = loads(body, 1 << 20, depth)
        assert exact(loads(dumps(value, depth), 1 << 20, depth)) == exact(value)


def test_numbers_that_json_lacks_travel() -> None:
    assert math.isnan(loads(dumps(math.nan), 99))  # type: ignore[arg-type]
    assert loads(dumps((math.inf, -math.inf, -0.0)), 99) == (math.inf, -math.inf, 0.0)


class Always(int):
    def __eq__(self, _: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize("value", [Always(1), [Always(1)], {"a": Always(1)}, {Always(1)}, object(), len, 1j, range(3)])
def test_of_other_types_and_subclasses_nothing_travels(value: object) -> None:
    with pytest.raises(NotAValue, match="type"):
        dumps(value)


def deep(levels: int) -> object:
    value: object = 0
    for _ in range(levels):
        value = [value]
    return value


def test_depth_is_limited_on_both_sides() -> None:
    assert loads(dumps(deep(MAX_DEPTH)), 1 << 20) == deep(MAX_DEPTH)
    with pytest.raises(NotAValue, match="deep"):
        dumps(deep(MAX_DEPTH + 1))
    barely = (b'{"tuple":[' * 65 + b"]}" * 65, b"[" * 65 + b"]" * 65, b"[" * 64 + b'{"bytes":""}' + b"]" * 64)
    for body in (*barely, b"[" * 100_000, b"[" * 5000 + b"]" * 5000, b'{"tuple":[' * 5000, b'{"a":' * 100_000):
        with pytest.raises(NotAValue):
            loads(body, 1 << 22)


def test_digits_are_limited_on_both_sides() -> None:
    assert loads(dumps(10**MAX_DIGITS - 1), 1 << 20) == 10**MAX_DIGITS - 1
    for value in (10**MAX_DIGITS, [1, 10**MAX_DIGITS], [-(10**MAX_DIGITS), 1], [True, 10**MAX_DIGITS]):
        with pytest.raises(NotAValue, match="digits"):
            dumps(value)
    for body in (b"9" * 1_000_000, b"1" * (MAX_DIGITS + 1), b"-" + b"1" * (MAX_DIGITS + 1), b"-" + b"9" * 10_000):
        with pytest.raises(NotAValue):
            loads(body, 1 << 22)
    assert loads(b"-" + b"9" * MAX_DIGITS, 1 << 20) == 1 - 10**MAX_DIGITS


def test_bytes_are_limited() -> None:
    with pytest.raises(NotAValue, match="more than 3"):
        loads(b"1234", 3)
    assert loads(b"123", 3) == 123


def test_keys_of_one_hash_are_limited() -> None:
    alike = [n * (2**61 - 1) for n in range(1, MAX_ALIKE + 2)]  # all hash to 0
    assert len({hash(key) for key in alike}) == 1
    for tag in ("set", "frozenset"):
        with pytest.raises(NotAValue):
            loads(json.dumps({tag: alike}).encode(), 1 << 20)
    with pytest.raises(NotAValue):
        loads(json.dumps({"dict": [[key, 0] for key in alike]}).encode(), 1 << 20)
    assert loads(json.dumps({"set": alike[:50]}).encode(), 1 << 20) == set(alike[:50])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"NaN",
        b"Infinity",
        b"{}",
        b'{"a":1,"b":2}',
        b'{"exec":"1"}',
        b'{"set":[[1]]}',
        b'{"set":[{"dict":[]}]}',
        b'{"dict":[[1]]}',
        b'{"dict":[1]}',
        b'{"dict":{}}',
        b'{"tuple":1}',
        b'{"bytes":"xx"}',
        b'{"bytes":1}',
        b'{"float":"1"}',
        b'{"float":[]}',
        b"[1,]",
        b"1 2",
        b"\xff",
    ],
)
def test_what_is_no_value_is_refused(body: bytes) -> None:
    with pytest.raises(NotAValue):
        loads(body, 1 << 20)

"""Records as bytes: what is read is what was written, or it is not written."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.effects import Outcome, Performed
from envhub.core.errors import JournalUnavailable
from envhub.core.types import Fault
from envhub.episodes.record import Record
from envhub.server.journal import Entry, Header
from envhub.server.journal.codec import decode, decode_entry, decode_header, encode_entry, encode_header

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
EFFECTS = st.builds(
    Performed,
    digest=st.text("0123456789abcdef", max_size=8),
    outcome=st.none() | st.builds(Outcome, st.text(st.characters(), max_size=5), JSON),
    token=JSON,
    fault=st.none() | st.builds(Fault, st.just("code"), st.text(max_size=3)),
)
ANSWER = {"observation": "o", "reward": None, "terminated": False, "truncated": True, "info": {"n": 2**70, "x": 0.1}}


def of(data: Any) -> Entry:
    return Entry(Record("a", 1, (Performed("d", Outcome("", data)),)), ANSWER)


@given(st.text(), st.integers(0, 2**63 - 1), st.lists(EFFECTS, max_size=3), st.floats(0, 2e9))
def test_a_turn_comes_back(action: str, turn_seed: int, effects: list[Performed], at: float) -> None:
    entry = Entry(Record(action, turn_seed, tuple(effects)), ANSWER, at, 0.25)
    assert decode_entry(encode_entry(entry)) == entry


@given(JSON, JSON)
def test_a_header_comes_back(request: Any, value: Any) -> None:
    header = Header(
        "e", {"asked": request, "params": {"x": value}}, {"params": {"x": value}}, {"o": value}, 1, 2, 3, 4.5
    )
    assert decode_header(encode_header(header)) == header


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, 2**64, -(2**63) - 1, 2**200, "\ud800", {"\udfff": 1}, -0.0, 1e-320]
)
def test_what_is_awkward_comes_back(value: Any) -> None:
    entry = of([value])
    assert decode_entry(encode_entry(entry)) == entry
    assert repr(decode_entry(encode_entry(entry))) == repr(entry)


def test_what_is_no_number_comes_back() -> None:
    outcome = decode_entry(encode_entry(of({"x": [1, math.nan]}))).record.effects[0].outcome
    assert outcome is not None
    assert math.isnan(outcome.data["x"][1])


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, {1, 2}, b"x", object(), [{"deep": (1,)}], 1j])
def test_what_would_come_back_as_something_else_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError):
        encode_entry(of(value))


@pytest.mark.parametrize("damage", [b"", b"1", b"1{", b"2", b"1[]", b"1[1,2]", b"3[]", b"1null"])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_damaged_is_said(damage: bytes, place: int) -> None:
    values = [encode_header(Header("e", {}, {}, {})), encode_entry(of(1))]
    assert decode(values).entries == [of(1)]
    values[place] = damage
    with pytest.raises(JournalUnavailable, match="damaged"):
        decode(values)

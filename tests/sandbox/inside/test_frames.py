from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from envhub.sandbox.inside import parcel
from envhub.sandbox.inside.frames import HEAD, Broken, Reader, pack


@given(st.lists(st.binary(max_size=50), max_size=6), st.integers(1, 20))
@settings(max_examples=100, deadline=None)
def test_messages_come_out_whole_however_the_bytes_arrive(bodies: list[bytes], step: int) -> None:
    stream = b"".join(map(pack, bodies))
    reader, found = Reader(50), []
    for at in range(0, len(stream), step):
        reader.feed(stream[at : at + step])
        while (body := reader.next()) is not None:
            found.append(body)
    assert found == bodies
    assert reader.held == 0


def test_a_message_that_is_too_long_is_refused_before_it_has_come() -> None:
    reader = Reader(10)
    reader.feed(HEAD.pack(11))
    with pytest.raises(Broken, match="longer than 10"):
        reader.next()


@given(st.dictionaries(st.sampled_from("abc"), st.integers() | st.text()), st.lists(st.binary(max_size=20), max_size=5))
@settings(max_examples=100, deadline=None)
def test_a_parcel_comes_out_as_it_went_in(head: dict[str, object], blobs: list[bytes]) -> None:
    assert parcel.unpack(parcel.pack(head, blobs)) == (head, blobs)


@given(st.binary(max_size=100))
@settings(max_examples=200, deadline=None)
def test_no_bytes_make_a_parcel_raise_anything_else(data: bytes) -> None:
    for body in (data, HEAD.pack(len(data)) + data):
        with suppress(Broken):
            parcel.unpack(body)


@pytest.mark.parametrize(
    "text",
    ["[]", "1", "{", '{"blobs":1}', '{"blobs":[-1]}', '{"blobs":[true]}', '{"blobs":[9]}', "{}", "[" * 100_000],
)
def test_a_head_that_lies_about_what_follows_is_refused(text: str) -> None:
    with pytest.raises(Broken):
        parcel.unpack(HEAD.pack(len(text)) + text.encode() + b"12345678")

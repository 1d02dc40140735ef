"""Whatever message is sent to ``/v1/ws`` has one answer, and the connection stays."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.server.http.fuzzing.control import ENOUGH, GUESS_100, SEED, Control, check
from tests.server.raw import BYTES, LAST, TEXT, frame, frames
from tests.server.serving import GUESS

ODD_TEXTS = ["", "\x00", "\ud800", "e\x00", "../e", "%00", "\ufeff", "\u202e", "x" * 129, "x" * 1_000_000, "None", "e"]
ODD_NUMBERS = [0, -1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**400, 1e308, 0.5, -0.0, True, 10.0]
odd = st.sampled_from([*ODD_TEXTS, *ODD_NUMBERS, None, [], {}, [[]], {"": {}}, [None], {"turn": 0}])
VALID: list[dict[str, Any]] = [
    {"op": "create", "body": {"env_id": GUESS, "episode_id": "e", "difficulty": 1, "seed": SEED}},
    {
        "op": "create",
        "body": {"env_id": "arithmetic-v0", "params": {"terms": 2}, "options": {"reward": {"accuracy": 1.0}}},
    },
    {"op": "step", "episode_id": "e", "body": {"turn": 0, "action": GUESS_100}},
    {"op": "fork", "episode_id": "e", "body": {"episode_id": "f", "turn": 0, "turn_seed": 3}},
    {"op": "get", "episode_id": "e"},
    {"op": "delete", "episode_id": "e"},
    {"op": "tasks", "body": {"env_id": "arithmetic-v0", "seeds": [1, 2], "difficulty": [1, 3]}},
    {"op": "verify", "body": {"items": [{"gold": "1", "responses": ["1"]}], "reward": {"accuracy": 1.0}}},
]


def places(value: Any) -> list[tuple[Any, ...]]:
    """Where something stands in a message."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, inner in items for rest in places(inner))]


def changed(value: Any, place: tuple[Any, ...], change: Any) -> Any:
    """A message with something else at a place."""
    if not place:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = changed(copy[place[0]], place[1:], change)
    return copy


def _other(kind: str, at: Any, name: str, value: Any, holder: Any) -> Any:
    """What holds something, with that missing, doubled, of another type, or with something beside it."""
    if at is None:
        return {**holder, name: value}
    if isinstance(holder, dict) and kind == "missing":
        return {key: inner for key, inner in holder.items() if key != at}
    if isinstance(holder, dict) and kind == "extra":
        return {**holder, name: value}
    copy = dict(holder) if isinstance(holder, dict) else list(holder)
    copy[at] = [copy[at], value] if kind == "list" else value
    return copy


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A valid message with something missing, too much, or of another type."""
    message: Any = {"id": draw(st.sampled_from([1, 2, "a", "b", "\x00", 2**63 - 1])), **draw(st.sampled_from(VALID))}
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.sampled_from(places(message)[1:] or [()]))
        value, name = draw(odd), draw(st.sampled_from(["id", "op", "turn", "x", "__class__", "\ud800", ""]))
        kind = draw(st.sampled_from(["other", "extra", "missing", "list"]))
        message = changed(message, place[:-1], partial(_other, kind, place[-1] if place else None, name, value))
        if not isinstance(message, dict):
            return {"id": message}
    return message


RAW = [
    b"",
    b" ",
    b"null",
    b"7",
    b'"text"',
    b"[]",
    b"{",
    b"}{",
    b'{"id": 1} {"id": 2}',
    b"[" * 200_000,
    b'{"id": 1, "body": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    b'{"id": 1, "op": "tasks", "body": {"env_id": "arithmetic-v0", "seeds": [1], "params": {"x": '
    + b"[" * 500
    + b"]" * 500
    + b"}}}",
    b'{"id": NaN, "op": "get"}',
    b'{"id": Infinity}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "difficulty": NaN}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "params": {"terms": Infinity}}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": NaN}}}}',
    b'{"id": 1, "op": "create", "body": {"env_id": "arithmetic-v0", "options": {"reward": {"accuracy": 1e999}}}}',
    b'{"id": 1, "op": "verify", "body": {"items": [], "reward": {"accuracy": -1e999}}}',
    b'{"id": 1e999}',
    b'{"id": ' + b"9" * 100_000 + b"}",
    b'{"id": 1, "op": "step", "episode_id": "e", "body": {"turn": ' + b"9" * 5000 + b', "action": ""}}',
    b'{"id": 1, "id": 2, "op": "get", "op": "delete", "episode_id": "nobody"}',
    b'\xef\xbb\xbf{"id": 1, "op": "get", "episode_id": "nobody"}',
    b'{"id": 1, "op": "get", "episode_id": "\\ud800\\u0000"}',
    b'{"id": "\\ud800", "op": "get", "episode_id": "nobody"}',
    b'{"id": "\\ud83d\\ude00", "op": "get", "episode_id": "nobody"}',
    b'{"\\ud800": 1, "id": 1}',
    b'{"id": 1, "op": "get", "episode_id": "nobody", "' + b"x" * 1_000_000 + b'": 1}',
    b"\x00",
    b'{"id": 1}\x00',
    b"//",
    b"{'id': 1}",
]
ONLY_BYTES = [
    b"\xff\xfe",
    b"\x80",
    '{"id": 1, "op": "get", "episode_id": "nobody"}'.encode("utf-16"),
    '{"id": 1, "op": "get", "episode_id": "nobody"}'.encode("utf-32"),
    b'{"id": "\xed\xa0\x80"}',
    os.urandom(1000),
]
data = (
    st.tuples(st.sampled_from([TEXT, BYTES]), mutated().map(lambda message: json.dumps(message).encode()))
    | st.tuples(st.sampled_from([TEXT, BYTES]), st.sampled_from(RAW))
    | st.tuples(st.just(BYTES), st.sampled_from(ONLY_BYTES) | st.binary(max_size=40))
    | st.tuples(st.just(TEXT), st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")))
)


def id_in(sent: bytes) -> Any:
    """The id that the answer to a message must have; None where it has none that can be read."""
    try:
        message = json.loads(sent)
    except (ValueError, RecursionError):
        return None
    id = message.get("id") if isinstance(message, dict) else None
    fits = (type(id) is int and abs(id) < 2**63) or (type(id) is str and len(id) <= 128)
    return id if fits else None


@settings(ENOUGH, max_examples=100)
@given(sent=st.lists(data, min_size=1, max_size=8), parts=st.integers(1, 3))
def test_every_message_has_one_answer_and_the_connection_stays(
    url: str, sent: list[tuple[int, bytes]], parts: int
) -> None:
    with frames(url) as line:
        control = Control(line)
        control.step()
        whole = b"".join(frame(LAST | code, payload) for code, payload in sent)
        for piece in range(parts):  # however the network cuts it
            line.send(whole[len(whole) * piece // parts : len(whole) * (piece + 1) // parts])
        answers = [line.answer() for _ in sent]
        for answer in answers:
            check(answer)
        wanted = Counter(repr(id_in(payload)) for _, payload in sent)
        got = Counter(repr(answer["id"]) for answer in answers)
        # a stricter reader of JSON may refuse what Python's takes; then it must say so
        for lost in wanted - got:
            assert wanted[lost] - got[lost] <= sum(a["id"] is None and a["status"] == 422 for a in answers)
        assert not got - wanted - Counter({repr(None): len(sent)})
        control.step()  # its answer is the next: nothing had two


@pytest.mark.parametrize("sent", RAW, ids=[ascii(text)[:60] for text in RAW])
def test_text_that_is_no_message_is_answered(url: str, sent: bytes) -> None:
    with frames(url) as line:
        control = Control(line)
        line.send(frame(LAST | TEXT, sent))
        check(line.answer())
        line.send(frame(LAST | BYTES, sent))
        check(line.answer())
        control.step()


def test_the_same_id_many_times(url: str) -> None:
    with frames(url) as line:
        control = Control(line)
        message = json.dumps({"id": 1, "op": "get", "episode_id": "nobody"}).encode()
        line.send(frame(LAST | TEXT, message) * 2000)
        assert [line.answer()["id"] for _ in range(2000)] == [1] * 2000
        control.step()

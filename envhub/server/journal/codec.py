"""Encodes records as bytes, and decodes them exactly.

Decoding must return exactly what was encoded: a fold over a slightly different record could give a different reward. orjson is
fast, but turns NaN into null and rejects integers beyond 64 bits and lone surrogates. So the encoder checks that the outcomes
of effects survive the round trip, and falls back to the standard library's JSON. If that fails too, it raises::

    decode_entry(encode_entry(entry)) == entry
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import orjson

from envhub.core.effects import Performed
from envhub.core.errors import JournalUnavailable
from envhub.episodes.record import Record
from envhub.server.journal.records import Entry, Header, StoredEpisode

_FAST: Final = b"1"
_EXACT: Final = b"2"


def encode_header(header: Header) -> bytes:
    """Encode a header.

    Raises:
        TypeError: It is not JSON.
    """
    fields = {
        "id": header.episode_id,
        "request": header.request,
        "task": dict(header.task),
        "options": dict(header.options),
        "first_turn_seed": header.first_turn_seed,
        "turn_seed": header.turn_seed,
        "inherited": header.inherited,
        "at": header.at,
        "incarnation": header.incarnation,
    }
    return _exactly(fields, "request")  # the other fields were derived from it


def decode_header(data: bytes) -> Header:
    """Decode the result of :func:`encode_header`."""
    fields = _loads(data)
    return Header(fields.pop("id"), **fields)


def encode_entry(entry: Entry) -> bytes:
    """Encode a turn.

    Raises:
        TypeError: The outcome of an effect is not JSON.
    """
    action, turn_seed, effects = entry.record
    fields = [action, turn_seed, entry.at, entry.took_s, entry.answer, entry.previous, entry.digest]
    if effects:
        return _exactly([*fields, [effect.to_json() for effect in effects]], -1)
    try:
        return _FAST + orjson.dumps(fields)
    except TypeError:
        return _EXACT + json.dumps(fields).encode()


def decode_entry(data: bytes) -> Entry:
    """Decode the result of :func:`encode_entry`."""
    action, turn_seed, at, took_s, answer, previous, digest, *brought = _loads(data)
    effects = tuple(map(Performed.from_json, brought[0])) if brought else ()
    return Entry(Record(action, turn_seed, effects), answer, at, took_s, previous, digest)


def decode(values: Iterable[bytes]) -> StoredEpisode:
    """Decode an episode from its header and turns.

    Raises:
        JournalUnavailable: The record is damaged.
    """
    header, *rest = values
    try:
        stored = StoredEpisode(decode_header(header), [decode_entry(value) for value in rest])
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise JournalUnavailable(f"The record of an episode is damaged ({type(error).__name__}).") from None
    before = ""
    for entry in stored.entries:
        if entry.previous != before:
            raise JournalUnavailable(
                "The record of an episode is damaged: one of its turns does not follow the turn before it."
            )
        before = entry.digest
    return stored


def _exactly(value: Any, part: Any) -> bytes:
    """Encode a value, keeping one part of it exact.

    That part survives the round trip exactly.
    """
    wanted = value[part]
    try:
        data = orjson.dumps(value)
        read = orjson.loads(data)
    except TypeError:
        pass
    else:
        if read[part] == wanted:
            return _FAST + data
    text = json.dumps(value)  # ASCII, which can represent lone surrogates
    read = json.loads(text)
    if not _same(read[part], wanted):
        raise TypeError("The journal can store only JSON: the outcome of an effect or a request holds another value.")
    return _EXACT + text.encode()


def _same(read: Any, written: Any) -> bool:
    """Equality, except for NaN and for tuples.

    NaN equals NaN, and a list does not equal a tuple.
    """
    if isinstance(written, dict) and isinstance(read, dict):
        return read.keys() == written.keys() and all(_same(read[name], written[name]) for name in read)
    if isinstance(written, list) and isinstance(read, list):
        return len(read) == len(written) and all(map(_same, read, written))
    return bool(read == written) or (read != read and written != written)


def _loads(data: bytes) -> Any:
    if data[:1] == _FAST:
        return orjson.loads(memoryview(data)[1:])
    return json.loads(data[1:])

"""Records as bytes, and back, exactly.

What is read must be what was written: a fold over something slightly else would end in another reward. orjson is fast, but
makes null of NaN and refuses integers past 64 bits and lone surrogates. So whatever the world answered is compared with what
would be read, and where orjson does not give it back, the standard library's JSON does; what even that cannot is an error::

    decode_entry(encode_entry(entry)) == entry
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import orjson

from envhub.core.effects import Performed
from envhub.core.errors import JournalUnavailable
from envhub.episodes.episode import Record
from envhub.server.journal.records import Entry, Header, StoredEpisode

_FAST: Final = b"1"
_EXACT: Final = b"2"


def encode_header(header: Header) -> bytes:
    """A header as bytes.

    Raises:
        TypeError: It holds what JSON has no form for.
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
        "birth": header.incarnation,
    }
    return _exactly(fields, "request")  # from which all the others were read


def decode_header(data: bytes) -> Header:
    """Read what :func:`encode_header` wrote."""
    fields = _loads(data)
    return Header(fields.pop("id"), incarnation=fields.pop("birth"), **fields)


def encode_entry(entry: Entry) -> bytes:
    """A turn as bytes.

    Raises:
        TypeError: An effect brought something that JSON has no form for.
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
    """Read what :func:`encode_entry` wrote."""
    action, turn_seed, at, took_s, answer, after, mark, *brought = _loads(data)
    effects = tuple(map(Performed.from_json, brought[0])) if brought else ()
    return Entry(Record(action, turn_seed, effects), answer, at, took_s, after, mark)


def decode(values: Iterable[bytes]) -> StoredEpisode:
    """An episode from its header and its turns.

    Raises:
        JournalUnavailable: They are damaged.
    """
    header, *rest = values
    try:
        stored = StoredEpisode(decode_header(header), [decode_entry(value) for value in rest])
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise JournalUnavailable(f"The record of an episode is damaged ({type(error).__name__}).") from None
    before = ""
    for entry in stored.entries:
        if entry.previous != before:
            raise JournalUnavailable("The record of an episode is damaged: one of its turns follows another past.")
        before = entry.digest
    return stored


def _exactly(value: Any, part: Any) -> bytes:
    """A value as bytes that give back one part of it; the others are as they are on the wire."""
    wanted = value[part]
    try:
        data = orjson.dumps(value)
        read = orjson.loads(data)
    except TypeError:
        pass
    else:
        if read[part] == wanted:
            return _FAST + data
    text = json.dumps(value)  # ASCII, in which a lone surrogate can stand
    read = json.loads(text)
    if not _same(read[part], wanted):
        raise TypeError(
            "What an effect brings and what a request holds are JSON values: the journal has no form for it."
        )
    return _EXACT + text.encode()


def _same(read: Any, written: Any) -> bool:
    """Equality in which NaN equals NaN, and a list no tuple."""
    if isinstance(written, dict) and isinstance(read, dict):
        return read.keys() == written.keys() and all(_same(read[name], written[name]) for name in read)
    if isinstance(written, list) and isinstance(read, list):
        return len(read) == len(written) and all(map(_same, read, written))
    return bool(read == written) or (read != read and written != written)


def _loads(data: bytes) -> Any:
    if data[:1] == _FAST:
        return orjson.loads(memoryview(data)[1:])
    return json.loads(data[1:])

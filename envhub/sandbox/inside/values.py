"""Serializes typed values between processes that do not trust each other.

Supports None, bool, int, float, str, bytes, list, tuple, dict, set and frozenset, of exactly these types: subclasses are
rejected, because their ``__eq__`` would be the policy's. Values are encoded as JSON in which every object is a tag, so
decoding needs only ``json`` and calls no code of the sender::

    [1, (2.5, "x"), {3: b"y"}]   ->   [1,{"tuple":[2.5,"x"]},{"dict":[[3,{"bytes":"79"}]]}]

Decoding limits the bytes, the depth, the digits of integers and the keys with equal hashes. Invalid input raises
:class:`NotAValue` and nothing else, and every decoded value can be encoded again. This module also runs in the jail.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 64
MAX_DIGITS = 4000
MAX_ALIKE = 100
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_BIG = 10**MAX_DIGITS
_AS_THEY_ARE, _INTEGERS, _HOLDERS = {str, bool, type(None)}, {int}, {list, dict}


class NotAValue(Exception):
    """The object cannot be encoded, or the bytes are no value.

    A value must be within the limits.
    """


def dumps(value: object, depth: int = MAX_DEPTH) -> bytes:
    """Encode a value.

    Args:
        value: The value.
        depth: Maximum nesting.

    Raises:
        NotAValue: An unsupported type, too deep nesting, or an integer with too many digits.
    """
    return _ENCODER.encode(_out(value, depth)).encode("ascii")


def loads(data: bytes, most: int, depth: int = MAX_DEPTH) -> object:
    """Decode a value. Inverse of :func:`dumps`.

    Args:
        data: Untrusted bytes.
        most: Maximum number of bytes.
        depth: Maximum nesting.

    Raises:
        NotAValue: The bytes are not a value or exceed a limit.
    """
    if len(data) > most:
        raise NotAValue(f"{len(data)} bytes are more than {most}")
    _check_depth(data, 3 * (depth + 1))
    try:
        # the text is ASCII as written by dumps, but a hostile sender writes what it likes
        plain = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotAValue(f"not a value: {type(error).__name__}") from None
    return _in(plain, depth)


def _out(value: Any, room: int) -> Any:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        if not -_BIG < value < _BIG:
            raise NotAValue(f"an integer of more than {MAX_DIGITS} digits")
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if room == 0:
        raise NotAValue("nested too deep")
    if kind is list:
        kinds = set(map(type, value))
        if kinds <= _AS_THEY_ARE or (kinds == _INTEGERS and min(value) > -_BIG and max(value) < _BIG):
            return value  # most lists, and the longest ones
        return [_out(item, room - 1) for item in value]
    if kind is bytes:
        return {"bytes": value.hex()}
    if kind is tuple or kind is set or kind is frozenset:
        return {kind.__name__: [_out(item, room - 1) for item in value]}
    if kind is dict:
        return {"dict": [[_out(key, room - 1), _out(item, room - 1)] for key, item in value.items()]}
    raise NotAValue(f"a value of type {kind.__name__}")


def _in(plain: Any, room: int) -> Any:
    kind = type(plain)
    if kind is not list and kind is not dict:
        return plain
    if room == 0 and (kind is list or "float" not in plain):
        raise NotAValue("nested too deep")
    if kind is list:
        return plain if _HOLDERS.isdisjoint(map(type, plain)) else [_in(item, room - 1) for item in plain]
    if len(plain) != 1:
        raise NotAValue("an object that is no tag")
    ((tag, body),) = plain.items()
    reader = _READERS.get(tag)
    if reader is None:
        raise NotAValue("an unknown tag")
    try:
        return reader(body, room - 1)
    except (TypeError, ValueError, KeyError):
        raise NotAValue(f"not the body of a {tag}") from None


def _items(body: Any, room: int) -> list[Any]:
    if type(body) is not list:
        raise TypeError
    return [_in(item, room) for item in body]


def _dict(body: Any, room: int) -> dict[Any, Any]:
    if type(body) is not list or not all(type(pair) is list and len(pair) == 2 for pair in body):
        raise TypeError
    keys = _keys([key for key, _ in body], room)
    return {key: _in(body[at][1], room) for at, key in enumerate(keys)}


def _keys(body: Any, room: int) -> list[Any]:
    """Items to be hashed.

    Rejects many equal hashes, which would take quadratic time.
    """
    items = _items(body, room)
    if len(items) > MAX_ALIKE and max(Counter(map(hash, items)).values()) > MAX_ALIKE:
        raise ValueError
    return items


_READERS: dict[str, Callable[[Any, int], Any]] = {
    "float": lambda body, room: _FLOATS[body],
    "bytes": lambda body, room: bytes.fromhex(body),
    "tuple": lambda body, room: tuple(_items(body, room)),
    "set": lambda body, room: set(_keys(body, room)),
    "frozenset": lambda body, room: frozenset(_keys(body, room)),
    "dict": _dict,
}


def _check_depth(data: bytes, most: int) -> None:
    """Reject deep nesting before anything recursive runs.

    A level of a value takes at most three brackets.
    """
    if data.count(b"[") + data.count(b"{") <= most:
        return  # whatever of it is in texts
    depth = 0
    for bracket in re.findall(rb"[\[\]{}]", _STRING.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            raise NotAValue("nested too deep")


def _integer(text: str) -> int:
    if len(text) - text.startswith("-") > MAX_DIGITS:
        raise ValueError
    return int(text)


def _constant(text: str) -> float:
    raise ValueError(text)


_DECODER = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

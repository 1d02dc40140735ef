"""Reads and writes JSON.

orjson where it is exact, else the standard library; repeated keys are refused. orjson turns integers beyond 64 bits
into floats, and a changed parameter means another task. It also rejects some valid input, such as text without a UTF-8
form. So a request that orjson rejects, or in which it finds a float, is read again by the standard library; answers
are written by orjson::

    loads(b'{"seed": 18446744073709551616}')
    dumps({"reward": 1.0})
"""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from envhub.core.strict_json import RepeatedKey, unrepeated
from envhub.server.http.problems import InvalidRequest

_DEEPEST: Final = 8
_NEVER: Final = -(2**62)


def _loads_fast(data: bytes | str) -> Any:
    """A request read by orjson, or None if it may be inexact.

    Repeated keys are found by counting colons: each key has one, and strings may contain some. Unless a string escapes
    its colons, the text has more colons than the value accounts for exactly if a key was dropped.
    """
    try:
        value = orjson.loads(data)
    except ValueError:
        return None
    escape, colon = (b"\\u003", b":") if isinstance(data, bytes) else ("\\u003", ":")
    if escape in data or data.count(colon) != _colons(value, 0):  # type: ignore[operator,arg-type]
        return None
    return value


def _colons(value: Any, depth: int) -> int:
    """Number of colons in the text of an object or array.

    Far below 0 if it contains a float, is nested deeply, or is another value.
    """
    if depth == _DEEPEST:
        return _NEVER
    found = 0
    inside: Any
    if type(value) is dict:
        found, inside = len(value), value.values()
        for key in value:
            if ":" in key:
                found += key.count(":")
    elif type(value) is list:
        inside = value
    else:
        return _NEVER
    for inner in inside:
        kind = type(inner)
        if kind is str:
            if ":" in inner:
                found += inner.count(":")
        elif kind is dict or kind is list:
            found += _colons(inner, depth + 1)
        elif kind is float:
            return _NEVER
    return found


def check_keys(data: bytes) -> None:
    """Check that no object in JSON text has a key twice.

    Invalid JSON is left to the reader of the body.

    Raises:
        InvalidRequest: A key is repeated.
    """
    try:
        json.loads(data, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise InvalidRequest(f"body: {error}.") from None
    except (ValueError, RecursionError):
        return


def loads(data: bytes | str) -> Any:
    """Parse a request.

    Raises:
        InvalidRequest: It is not JSON, or a key is repeated.
    """
    value = _loads_fast(data)
    if value is not None:
        return value
    try:
        return json.loads(data, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise InvalidRequest(f"body: {error}.") from None
    except RecursionError:
        raise InvalidRequest("body: not JSON: it is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"body: not JSON: {error.msg} at character {error.pos}.") from None
    except ValueError:  # not UTF-8, or a number with thousands of digits
        raise InvalidRequest("body: not JSON: it is not UTF-8, or a number is too long.") from None


def dumps(value: Any) -> bytes:
    """Serialize an answer."""
    try:
        return orjson.dumps(value)
    except TypeError:  # integers beyond 64 bits, deep nesting, lone surrogates: slower, but exact
        return json.dumps(value, allow_nan=False).encode()

"""Reads and writes JSON.

orjson where it is exact, else the standard library; repeated keys are refused. orjson turns integers beyond 64 bits
into floats, and a changed parameter means another task. It also rejects some valid input, such as text without a UTF-8
form. So requests are read by the standard library, unless the caller accepts only strings and short integers; answers
are written by orjson::

    loads(b'{"seed": 18446744073709551616}')
    loads_plain(b'{"turn": 0, "action": ""}')
    dumps({"reward": 1.0})
"""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from envhub.core.strict_json import RepeatedKey, unrepeated
from envhub.server.http.problems import InvalidRequest

_DEEPEST: Final = 3
_NEVER: Final = -(2**62)


def loads_plain(data: bytes | str) -> Any:
    """A request with floats for integers beyond 64 bits.

    None if it needs :func:`loads`. Repeated keys are found by counting colons: each key has one, and strings may
    contain some. Unless a string escapes its colons, the text has more colons than the value accounts for exactly if a
    key was dropped.
    """
    try:
        value = orjson.loads(data)
    except ValueError:
        return None
    escape, colon = (b"\\u003", b":") if isinstance(data, bytes) else ("\\u003", ":")
    if escape in data or data.count(colon) != _colons(value):  # type: ignore[operator,arg-type]
        return None
    return value


def _colons(value: Any, depth: int = 0) -> int:
    """Number of colons in the text of a plain message.

    Far below 0 for any other value.
    """
    if type(value) is not dict or depth == _DEEPEST:
        return _NEVER
    found = len(value)
    for key, inner in value.items():
        kind = type(inner)
        if kind is str:
            found += inner.count(":")
        elif kind is dict or kind is list:
            found += _colons(inner, depth + 1)
        if ":" in key:
            found += key.count(":")
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

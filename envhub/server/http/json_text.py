"""JSON in and out: the fast way where it is exact, else the exact way; an object that holds a key twice is refused.

orjson makes floats of integers past 64 bits, and a parameter that was changed on its way in is another task. It refuses some
that the standard library reads, such as text without a UTF-8 form. So what comes in is read by the standard library, unless
whoever reads it accepts nothing but text and integers that are short enough; answers go through orjson::

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
    """What a client sent, with floats for integers past 64 bits; None where only :func:`loads` can tell.

    A key that occurs twice is found by counting colons: each key has one, and so may texts; as long as no text writes its
    colons as escapes, there are more of them than the value accounts for exactly where a key was dropped.
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
    """How many colons a plain message has when it is written; far below 0 for any other value."""
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
    """Refuse JSON in which an object holds a key twice; anything else is left to the reader of the body.

    Raises:
        InvalidRequest: It does.
    """
    try:
        json.loads(data, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise InvalidRequest(f"body: {error}.") from None
    except (ValueError, RecursionError):
        return


def loads(data: bytes | str) -> Any:
    """What a client sent.

    Raises:
        InvalidRequest: It is not JSON.
    """
    try:
        return json.loads(data, object_pairs_hook=unrepeated)
    except RepeatedKey as error:
        raise InvalidRequest(f"body: {error}.") from None
    except RecursionError:
        raise InvalidRequest("body: not JSON that can be read: it is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"body: not JSON: {error.msg} at {error.pos}.") from None
    except ValueError:  # not UTF-8, or a number with thousands of digits
        raise InvalidRequest("body: not JSON: it cannot be read.") from None


def dumps(value: Any) -> bytes:
    """An answer as bytes."""
    try:
        return orjson.dumps(value)
    except TypeError:  # an integer past 64 bits, nesting past its limit, half a surrogate pair: slower, but exact
        return json.dumps(value, allow_nan=False).encode()

"""JSON in and out: the fast way where it is exact, else the exact way.

orjson makes floats of integers past 64 bits, and a parameter that was changed on its way in is another task. It refuses some
that the standard library reads, such as text without a UTF-8 form. So what comes in is read by the standard library, unless
whoever reads it accepts nothing but text and integers that are short enough; answers go through orjson::

    loads(b'{"seed": 18446744073709551616}')
    loads_plain(b'{"turn": 0, "action": ""}')
    dumps({"reward": 1.0})
"""

from __future__ import annotations

import json
from typing import Any

import orjson

from envhub.server.problems import InvalidRequest


def loads_plain(data: bytes | str) -> Any:
    """What a client sent, with floats for integers past 64 bits; None where only :func:`loads` can tell."""
    try:
        return orjson.loads(data)
    except ValueError:
        return None


def loads(data: bytes | str) -> Any:
    """What a client sent.

    Raises:
        InvalidRequest: It is not JSON.
    """
    try:
        return json.loads(data)
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

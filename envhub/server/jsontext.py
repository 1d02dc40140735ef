"""JSON in and out: the fast way where it is exact, else the exact way.

orjson makes floats of integers past 64 bits, and a parameter that was changed on its way in is another task. So what comes in
is read by the standard library, which takes a microsecond or two longer; answers go through orjson::

    loads(b'{"seed": 18446744073709551616}')
    dumps({"reward": 1.0})
"""

from __future__ import annotations

import json
from typing import Any

import orjson

from envhub.server.problems import InvalidRequest


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
    except TypeError:  # an integer past 64 bits, or nesting past its limit: slower, but exact
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()

"""Encodes a message with parts: a JSON head and binary blobs.

Used by both host and jail::

    body = pack({"kind": "run"}, [source, stdin])
    head, blobs = unpack(body)
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

from envhub.sandbox.inside.frames import Broken

_LENGTH = struct.Struct(">I")
MAX_HEAD = 8 << 20
"""Maximum bytes of a head."""
_write, _read = json.JSONEncoder().encode, json.JSONDecoder().raw_decode


def pack(head: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Encode a message."""
    text = _write({**head, "blobs": list(map(len, blobs))}).encode()
    return b"".join([_LENGTH.pack(len(text)), text, *blobs])


def unpack(body: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Decode a message into head and blobs.

    Raises:
        Broken: The bytes are not a valid message. Nothing else is ever raised.
    """
    if len(body) < _LENGTH.size:
        raise Broken("a message without a head")
    (size,) = _LENGTH.unpack_from(body)
    at = _LENGTH.size + size
    if size > MAX_HEAD or at > len(body):
        raise Broken("a message whose head does not fit into it")
    try:
        text = body[_LENGTH.size : at].decode()
        head, end = _read(text)
    except (ValueError, RecursionError):
        raise Broken("a message whose head is not JSON") from None
    sizes = head.pop("blobs", None) if type(head) is dict and end == len(text) else None
    if type(sizes) is not list or not all(type(size) is int and size >= 0 for size in sizes):
        raise Broken("a message whose head does not say what follows")
    if sum(sizes) != len(body) - at:
        raise Broken("a message whose parts do not add up")
    blobs = []
    for size in sizes:
        blobs.append(body[at : at + size])
        at += size
    return head, blobs

"""The files of the pages and the headers of their responses.

Nothing is loaded from another site and no script is inline, so the content security policy allows neither::

    response = respond("js/app.js", request.headers)       # a Starlette response; 404 for an unknown name
    response = send(asset(content, "application/json"), request.headers)
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.responses import PlainTextResponse, Response

FOLDER: Final = Path(__file__).parent / "static"
INDEX: Final = "index.html"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of every page."""
_TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # kept, but asked for again: an upgraded server changes all files at once
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file.

    Attributes:
        content: Its bytes.
        packed: The same, compressed with gzip.
        media_type: Its media type.
        etag: Digest of its content, as the header ``ETag``.
    """

    content: bytes
    packed: bytes
    media_type: str
    etag: str


@cache
def assets() -> Mapping[str, Asset]:
    """All files that are served, by path below ``static/``."""
    files = (path for path in sorted(FOLDER.rglob("*")) if path.suffix in _TYPES)
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in files}


def _read(path: Path) -> Asset:
    return asset(path.read_bytes(), _TYPES[path.suffix])


def asset(content: bytes, media_type: str) -> Asset:
    """A file that is made, such as the catalogue."""
    packed = gzip.compress(content, mtime=0)
    return Asset(content, packed, media_type, f'"{sha256(content).hexdigest()[:32]}"')


def respond(name: str, headers: Mapping[str, str]) -> Response:
    """The response to a request for a file.

    Args:
        name: Path below ``static/``.
        headers: Headers of the request, with lower-case names or case-insensitive.
    """
    found = assets().get(name)
    return PlainTextResponse("Not Found", 404) if found is None else send(found, headers)


def send(found: Asset, headers: Mapping[str, str]) -> Response:
    """The response with a file; empty if the client has it."""
    answer = {**_HEADERS, "ETag": found.etag}
    if headers.get("if-none-match") == found.etag:
        return Response(status_code=304, headers=answer)
    if "gzip" in headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.media_type, headers={**answer, "Content-Encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=answer)

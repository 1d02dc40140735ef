"""Log formatting: one line per record, as text or JSON.

Without secrets and impossible to forge. Text of clients can reach a log message (a path, an error of a library). So
every record is one line with control characters escaped and API keys cut to their public part. Of exceptions only types
and places are logged, because a message may hold a solution. ::

    configure("json")
    logging.getLogger("envhub.access").info("answered", extra={"fields": {"status": 200}})
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, Literal, TextIO

Format = Literal["text", "json"]

_KEY: Final = re.compile(r"(envhub_[a-z2-7]{10})_[A-Za-z0-9_-]+")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MAX_CHARS: Final = 4000
_FRAMES: Final = 8
_OURS: Final = "envhub"


def configure(
    form: Format, level: int = logging.WARNING, *, access: bool = False, stream: TextIO | None = None
) -> None:
    """Configure the logging of this process. Calling it again replaces the configuration.

    Args:
        form: ``text`` or ``json``.
        level: Lowest level that is logged.
        access: Whether to log every request.
        stream: Where to write; standard error by default.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, JsonLines | TextLines):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in (
        "uvicorn",
        "uvicorn.error",
        "uvicorn.access",
    ):  # they have handlers of their own
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"  # it would log paths and queries
    logging.getLogger(f"{_OURS}.access").setLevel(logging.INFO if access else logging.CRITICAL)


def safe(text: str) -> str:
    r"""A text on one line without secrets.

    Control characters are escaped, API keys become ``envhub_<id>_***``.

    >>> safe("a\nb\x1b[2J")
    'a\\nb\\x1b[2J'
    """
    text = text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]} [cut]"
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], _KEY.sub(r"\1_***", text))


class JsonLines(logging.Formatter):
    """Formats each record as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "worker": os.getpid(),
            "message": safe(_message(record)),
        }
        line |= {name: safe(value) if isinstance(value, str) else value for name, value in _fields(record).items()}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = safe(_describe_error(record.exc_info[1]))
        return json.dumps(line, allow_nan=False, default=lambda value: safe(str(value)))


class TextLines(logging.Formatter):
    """Formats each record as a line of text."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        parts = [_time(record), record.levelname, record.name, safe(_message(record))]
        parts += [f"{name}={safe(str(value))}" for name, value in _fields(record).items()]
        if record.exc_info and record.exc_info[1] is not None:
            parts.append(safe(_describe_error(record.exc_info[1])))
        return " ".join(parts)


def _message(record: logging.LogRecord) -> str:
    """The message.

    Only the first line from libraries, because asyncio puts exception texts into the second.
    """
    message = record.getMessage()
    return message if record.name.partition(".")[0] == _OURS else message.strip().partition("\n")[0]


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields = getattr(record, "fields", None)
    return fields if isinstance(fields, dict) else {}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _describe_error(error: BaseException) -> str:
    """Types and places of an exception and its causes.

    Without messages and values.
    """
    parts: list[str] = []
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        parts.append(f"{type(cause).__name__}{_places(cause.__traceback__)}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return " from ".join(parts)


def _places(at: TracebackType | None) -> str:
    frames = traceback.extract_tb(at)[-_FRAMES:]
    return "".join(f" at {frame.filename}:{frame.lineno}" for frame in reversed(frames))

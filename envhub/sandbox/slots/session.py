"""Host side of a session in a slot.

Sends commands and reads answers before a deadline.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

from envhub.core.errors import InvalidParameters
from envhub.sandbox.backend import Entry, Listing, Setting, SlotFailed, SlotSession
from envhub.sandbox.jobs import Limits, Result, check_paths
from envhub.sandbox.linux.cgroups import JobCounters
from envhub.sandbox.slots.replies import clean, overlay, result_of
from envhub.sandbox.toolchains import TOOLCHAINS

_HEAD: Final = 16 << 20
_START_S: Final = 30.0
_KINDS: Final = ("file", "directory", "link", "other")


GRACE_S: Final = 10.0
"""Seconds that an answer may arrive after the limits of its job."""


class Messenger(Protocol):
    """What a session needs of its slot (:class:`envhub.sandbox.slots.slot.StreamSlot`)."""

    def put(self, head: Mapping[str, Any], blobs: Sequence[bytes], deadline: float) -> None:
        """Send a message."""

    def take(self, most: int, deadline: float) -> tuple[dict[str, Any], list[bytes]]:
        """Receive the next message."""

    def start_job(self, limits: Limits) -> None:
        """Set the limits that are enforced from outside."""

    def end(self) -> JobCounters | None:
        """Return what was measured from outside."""

    def fail(self, reason: str) -> SlotFailed:
        """Close the slot and return the error to raise."""


class StreamSession(SlotSession):
    """A session that is reached over a stream.

    Raises:
        SlotFailed: The slot is lost.
    """

    def __init__(self, slot: Messenger, setting: Setting) -> None:
        self._slot = slot
        self._limits = setting.limits
        self._open = True
        head = {
            "kind": "session",
            "language": setting.language,
            "limits": setting.limits.to_plain(),
            "names": list(setting.files),
            "executable": [],
            "variables": TOOLCHAINS[setting.toolchain].variables if setting.toolchain else {},
        }
        slot.start_job(self._limits)
        answer, _ = self._ask(head, list(setting.files.values()), _START_S)
        if answer:
            raise slot.fail("a session could not be opened: its files are too large or their paths conflict")

    def run(self, source: str, stdin: bytes = b"") -> Result:
        """See :meth:`SlotSession.run`."""
        self._slot.start_job(self._limits)
        texts = [source.encode("utf-8", "surrogatepass"), stdin]
        answer, blobs = self._ask({"do": "run"}, texts, self._limits.wall_s + _START_S)
        counted = self._slot.end()
        try:
            return overlay(result_of(answer, blobs, self._limits, ()), counted, self._limits)
        except (KeyError, TypeError, ValueError) as error:
            raise self._malformed(error) from error

    def write(self, files: Mapping[str, bytes]) -> None:
        """See :meth:`SlotSession.write`."""
        check_paths(files)
        answer, _ = self._ask({"do": "write", "names": list(files)}, list(files.values()), _START_S)
        if answer:
            why = "there is no room for it" if answer.get("full") is True else "something is in its way"
            raise InvalidParameters(f"The file {clean(str(answer.get('path')))!r:.200} cannot be written: {why}.")

    def read(self, paths: Sequence[str]) -> dict[str, bytes]:
        """See :meth:`SlotSession.read`."""
        check_paths(paths)
        answer, blobs = self._ask({"do": "read", "names": list(paths)}, [], _START_S)
        names = answer.get("files")
        if type(names) is not list or len(names) != len(blobs) or not set(map(str, names)) <= set(paths):
            raise self._malformed(names)
        return dict(zip(names, blobs, strict=True))

    def tree(self) -> Listing:
        """See :meth:`SlotSession.tree`."""
        answer, _ = self._ask({"do": "tree"}, [], _START_S)
        try:
            entries = [_entry(row) for row in answer["entries"]]
            complete = answer["complete"] is True and len(entries) <= self._limits.files
        except (KeyError, TypeError, ValueError) as error:
            raise self._malformed(error) from error
        return Listing(tuple(sorted(entries, key=lambda entry: entry.path)[: self._limits.files]), complete)

    def close(self) -> None:
        """See :meth:`SlotSession.close`."""
        if not self._open:
            return
        self._open = False
        with suppress(SlotFailed):
            self._ask({"do": "close"}, [], _START_S)

    def _ask(self, head: dict[str, Any], blobs: list[bytes], seconds: float) -> tuple[dict[str, Any], list[bytes]]:
        deadline = time.monotonic() + seconds + GRACE_S
        self._slot.put(head, blobs, deadline)
        most = 2 * self._limits.output_bytes + min(self._limits.file_mb << 20, 1 << 27) + _HEAD
        return self._slot.take(most, deadline)

    def _malformed(self, what: object) -> SlotFailed:
        return self._slot.fail(f"a slot gave a malformed answer: {what!r:.200}")


def _entry(row: Any) -> Entry:
    """Check an entry.

    Raises:
        KeyError: A field is missing.
        TypeError: A field has the wrong type.
        ValueError: A field is out of range.
    """
    path, kind, size, mode, target = (row[name] for name in ("path", "kind", "size", "mode", "target"))
    if not (type(path) is type(target) is str and type(size) is type(mode) is int):
        raise TypeError("entry")
    if kind not in _KINDS or size < 0 or not 0 <= mode <= 0o7777:
        raise ValueError("entry")
    return Entry(clean(path), kind, size, mode, clean(target))

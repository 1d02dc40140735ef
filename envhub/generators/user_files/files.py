"""A user's files, identified by content and read as rows.

A file is identified by its SHA-256, so that a task key means the same rows everywhere: on another machine it is
searched at its path and in the folders of ``ENVHUB_DATASETS``, and only a file with that digest is used::

    place = place_of("gsm8k.jsonl", digest_of("gsm8k.jsonl"))
    UserRows.of(place, "question", each_of(place, rows_at(place, digest), question_of)).at(3)
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from envhub.core.errors import InvalidParameters, MissingExtra

MAX_CHARS: Final = 60_000
"""Longer texts do not fit into an observation."""


class _Levelled(Protocol):
    @property
    def level(self) -> int | None:
        """The difficulty stated in a row, or None."""


T = TypeVar("T")
L = TypeVar("L", bound=_Levelled)


@dataclass(frozen=True)
class UserRows(Generic[L]):
    """The content of a file, in order.

    Attributes:
        place: File location, for messages.
        what: Name of a row, for messages.
        rows: All rows.
        levels: Rows by difficulty; empty if none states one.
    """

    place: str
    what: str
    rows: Sequence[L]
    levels: Mapping[int, Sequence[L]]

    @classmethod
    def of(cls, place: str, what: str, rows: Iterable[L]) -> Self:
        """These rows, by their difficulty.

        Raises:
            InvalidParameters: No rows.
        """
        found = tuple(rows)
        if not found:
            raise InvalidParameters(f"There are no {what}s in {place!r}.")
        levels: dict[int, list[L]] = {}
        for row in found:
            if row.level is not None:
                levels.setdefault(row.level, []).append(row)
        return cls(place, what, found, levels)

    def at(self, level: int | None) -> Sequence[L]:
        """Rows of a difficulty.

        All for None, or if no row states one.

        Raises:
            InvalidParameters: No rows.
        """
        if level is None or not self.levels:
            return self.rows
        if level not in self.levels:
            there = ", ".join(map(str, sorted(self.levels)))
            raise InvalidParameters(f"No {self.what} in {self.place!r} has the difficulty {level}; there are {there}.")
        return self.levels[level]


def each_of(place: str, rows: Iterable[Mapping[str, Any]], read: Callable[[int, Mapping[str, Any]], T]) -> Iterator[T]:
    """The results of ``read`` for each row and its number, from 1.

    Raises:
        InvalidParameters: ``read`` raises a ``ValueError``; names the row.
    """
    for number, row in enumerate(rows, 1):
        try:
            yield read(number, row)
        except ValueError as error:
            raise InvalidParameters(f"{place}, row {number}: {error}") from None


# -- a file by its content -------------------------------------------------------------------------------------------


def digest_of(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal.

    Raises:
        InvalidParameters: It cannot be read, or is no file.
    """
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise _unreadable(path, "that is no file")
        return _digest(path, found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise _unreadable(path, error.strerror) from None
    except ValueError as error:  # a name that no file can have
        if isinstance(error, InvalidParameters):
            raise
        raise _unreadable(path, error) from None


@lru_cache(maxsize=64)
def _digest(path: str, changed: int, size: int) -> str:
    whole = sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            whole.update(block)
    return whole.hexdigest()


def place_of(path: str, digest: str) -> str:
    """Finds the file with a digest.

    Raises:
        InvalidParameters: Not found.
    """
    folders = [folder for folder in os.environ.get("ENVHUB_DATASETS", "").split(os.pathsep) if folder]
    places = [path, *(os.path.join(folder, os.path.basename(path)) for folder in folders)]
    there = [place for place in places if os.path.isfile(place)]
    for place in there:
        if digest_of(place) == digest:
            return place
    raise _other(path, digest, "it has changed since" if there else "it is not there")


def content_at(place: str, digest: str) -> bytes:
    """The content of a file with a digest.

    Raises:
        InvalidParameters: It cannot be read, or has changed since.
    """
    try:
        content = Path(place).read_bytes()
    except OSError as error:
        raise _unreadable(place, error.strerror) from None
    if sha256(content).hexdigest() != digest:
        raise _other(place, digest, "it has changed since")
    return content


def _unreadable(path: str, why: object) -> InvalidParameters:
    return InvalidParameters(f"The file {path!r} cannot be read: {why}.")


def _other(path: str, digest: str, why: str) -> InvalidParameters:
    return InvalidParameters(
        f"The task is of the file {path!r} with SHA-256 {digest[:16]}..., and {why}. Put that file there, or name its "
        "folder in ENVHUB_DATASETS."
    )


# -- rows --------------------------------------------------------------------------------------------------------------


def rows_at(place: str, digest: str) -> list[Mapping[str, Any]]:
    """The rows of a file with a digest, JSON lines or parquet.

    Raises:
        InvalidParameters: It cannot be read, or has changed since.
        MissingExtra: It is parquet, and pyarrow is not installed.
    """
    content = content_at(place, digest)
    return _parquet(place, content) if place.endswith(".parquet") else json_lines(place, content)


def json_lines(place: str, content: bytes) -> list[Mapping[str, Any]]:
    """The objects of JSON lines.

    Raises:
        InvalidParameters: A line is not one.
    """
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InvalidParameters(f"{place} is not UTF-8: {error}.") from None
    rows: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InvalidParameters(f"{place}, line {number}, is not JSON: {error}.") from None
            if not isinstance(row, dict):
                raise InvalidParameters(f"{place}, line {number}, is not an object with columns.")
            rows.append(row)
    return rows


def _parquet(place: str, content: bytes) -> list[Mapping[str, Any]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra(f"Parquet needs more: pip install 'envhub[data]' ({error}).") from error
    try:
        found: list[Mapping[str, Any]] = pyarrow.parquet.read_table(pyarrow.BufferReader(content)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise InvalidParameters(f"{place!r} is no parquet file: {error}.") from None
    return found

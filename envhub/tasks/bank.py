"""Banks: tasks drawn in advance, in files that are mapped into memory.

``envhub bank build`` draws the first tasks of a stream (:class:`envhub.tasks.stream.TaskStream`) into a folder.
``ENVHUB_BANK`` names the folder; a task that it holds is then read, and any other is drawn as usual::

    bank = Bank(Path("bank"))
    bank.get(key.root)              # the accepted attempt and the instance, or None

A shard is a file: a magic number, the number of tasks, their sorted roots, the ends of their entries, then the entries. An
entry is JSON behind a checksum. Entries contain answer keys, so only the owner can access the folder. A damaged entry is drawn
again. A damaged shard, another format and environments of another version are refused.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import EnvhubError, UnknownEnvironment
from envhub.registry.registry import spec
from envhub.tasks.cache import Found, checksum_of, decoded, encoded

FORMAT: Final = 1
MANIFEST: Final = "bank.json"
_MAGIC: Final = b"envhub bank 1\n\0\0"
_ROOT, _SUM = 16, 16
_NUMBER: Final = struct.Struct("<Q")

_log = logging.getLogger(__name__)


class BankRefused(EnvhubError, ValueError):
    """A bank is damaged or of another version."""


class Shard(Sequence[bytes]):
    """A file of tasks, as the sorted roots of their keys.

    Args:
        path: The file.

    Raises:
        BankRefused: It is not a shard, or it is not complete.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise BankRefused(f"Cannot read {path}: {error}. {_again(path.parent)}") from None
        self._roots = len(_MAGIC) + _NUMBER.size
        head = self._bytes[: self._roots]
        self._count = _NUMBER.unpack(head[len(_MAGIC) :])[0] if head[: len(_MAGIC)] == _MAGIC else -1
        self._ends = self._roots + self._count * _ROOT
        self._entries = self._ends + self._count * _NUMBER.size
        if self._count < 0 or len(self._bytes) < self._entries or len(self._bytes) != self._end(self._count - 1):
            raise BankRefused(f"{path} is damaged: it is not a complete shard of a bank. {_again(path.parent)}")

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at: Any) -> Any:
        if not 0 <= at < self._count:
            raise IndexError(at)
        start = self._roots + at * _ROOT
        return self._bytes[start : start + _ROOT]

    def get(self, root: bytes) -> Found | None:
        """The task of a root; None if it is missing or damaged."""
        at = bisect_left(self, root)
        if at == self._count or self[at] != root:
            return None
        start, end = self._end(at - 1), self._end(at)
        checksum, value = self._bytes[start : start + _SUM], self._bytes[start + _SUM : end]
        if checksum_of(root, value) != checksum:
            _log.warning("entry %d of %s is damaged; its task is drawn again", at, self.path)
            return None
        return decoded(value)

    def _end(self, at: int) -> int:
        """Where an entry ends."""
        if at < 0:
            return self._entries
        start = self._ends + at * _NUMBER.size
        return self._entries + int(_NUMBER.unpack(self._bytes[start : start + _NUMBER.size])[0])


class Bank:
    """A folder of shards.

    Args:
        folder: The folder.

    Raises:
        BankRefused: It is not a bank, it is damaged, or an environment has another version.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.manifest: Mapping[str, Any] = json.loads((folder / MANIFEST).read_text())
            made, ids, names = (self.manifest[field] for field in ("envhub", "environments", "shards"))
        except (OSError, ValueError, KeyError, TypeError):
            raise BankRefused(f"{folder} is not a bank: it has no readable {MANIFEST}. {_again(folder)}") from None
        if made != FORMAT:
            raise BankRefused(f"The bank {folder} has the format {made!r}, not {FORMAT}. {_again(folder)}")
        for env_id in ids:
            try:
                spec(env_id)
            except UnknownEnvironment as error:
                raise BankRefused(f"The bank {folder} has tasks of {env_id}. {error} {_again(folder)}") from None
        self.shards = [Shard(folder / name) for name in names]
        self._tested: set[str] = set()

    def __len__(self) -> int:
        return sum(map(len, self.shards))

    def __iter__(self) -> Iterator[bytes]:
        for shard in self.shards:
            yield from shard

    def get(self, root: bytes) -> Found | None:
        """The task of a root; None if it is missing or damaged."""
        return next((found for shard in self.shards if (found := shard.get(root)) is not None), None)

    def test(self, env_id: str, found: Found, drawn: Found | None) -> None:
        """Compare a task with the one that this code draws.

        Raises:
            BankRefused: They differ.
        """
        if drawn is None or encoded(drawn) != encoded(found):
            raise BankRefused(
                f"The bank {self.folder} has tasks of {env_id} that this version does not draw. {_again(self.folder)}"
            )
        self._tested.add(env_id)

    def tested(self, env_id: str) -> bool:
        """Whether a task of an environment was compared in this process."""
        return env_id in self._tested


def write_shard(path: Path, tasks: Mapping[bytes, Found]) -> None:
    """Write a shard, which is complete or missing.

    Raises:
        TypeError: JSON cannot represent an instance.
    """
    roots = sorted(tasks)
    values = [encoded(tasks[root]) for root in roots]
    ends, end = bytearray(), 0
    for value in values:
        end += _SUM + len(value)
        ends += _NUMBER.pack(end)
    part = path.with_suffix(".part")
    with open(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        file.write(_MAGIC + _NUMBER.pack(len(roots)) + b"".join(roots) + ends)
        for root, value in zip(roots, values, strict=True):
            file.write(checksum_of(root, value) + value)
    part.replace(path)


@cache
def opened(folder: str) -> Bank | None:
    """The bank of a folder; None for an empty name."""
    return Bank(Path(folder)) if folder else None


def default() -> Bank | None:
    """The bank that ``ENVHUB_BANK`` names, if any."""
    return opened(os.environ.get("ENVHUB_BANK", ""))


def _again(folder: Path) -> str:
    return f"Build it again: envhub bank build --out {folder} --overwrite ..."

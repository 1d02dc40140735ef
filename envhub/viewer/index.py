"""Index of recorded episodes: the place and the facts of each.

Files are read once, line by line; about 50 bytes are kept per episode. The index is stored in the user's cache, and read from
there as long as the files are the same; a file that grew is read from where it ended::

    index = Index.of([Path("results/my-model/attempts.jsonl")])
    index.columns["reward"], index.trajectory(17)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
import orjson

from envhub.core.errors import InvalidParameters
from envhub.viewer.trajectories import OUTCOMES, Facts, Trajectory, read

FORMAT: Final = 2
"""Version of the stored index; another one is built again."""
_FIELDS: Final = [
    ("source", np.int32),
    ("offset", np.int64),
    ("length", np.int64),
    ("env", np.int32),
    ("level", np.int8),
    ("outcome", np.int8),
    ("abuse", np.bool_),
    ("reward", np.float32),
    ("turns", np.int32),
    ("chars", np.int64),
    ("group", np.uint64),
    ("why", np.int32),
]
_ROW: Final = np.dtype(_FIELDS)
_HEAD: Final = 4096
_CHUNK: Final = 20_000
_MOST_NAMES: Final = 1_000
_LONGEST_NAME: Final = 80
_OTHER: Final = "other"


class Names:
    """Texts by number, in the order in which they were seen.

    Args:
        texts: Texts that have been seen.
        most: Maximum number of texts; those that come later count as ``other``, since reasons may be any text.
    """

    def __init__(self, texts: Sequence[str] = (), most: int | None = None) -> None:
        self._numbers, self._most = {text: at for at, text in enumerate(texts)}, most

    def number(self, text: str) -> int:
        """The number of a text."""
        text = text.partition("\n")[0][:_LONGEST_NAME]
        if self._most is not None and text not in self._numbers and len(self._numbers) >= self._most:
            text = _OTHER
        return self._numbers.setdefault(text, len(self._numbers))

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read.

    Attributes:
        path: Its path.
        size: Bytes that were read: up to the end of the last whole line.
        head: Digest of its first bytes, which stay the same when a file grows.
    """

    path: str
    size: int
    head: str


class Index:
    """The episodes of some files, in their order.

    Args:
        sources: The files.
        envs: Environment ids; the column ``env`` holds positions in it.
        reasons: Reasons of failures, cut to one short line; the column ``why`` holds positions in it.
        columns: One row per episode.
    """

    def __init__(
        self, sources: Sequence[Source], envs: Sequence[str], reasons: Sequence[str], columns: np.ndarray
    ) -> None:
        self.sources, self.envs, self.reasons, self.columns = list(sources), list(envs), list(reasons), columns

    def __len__(self) -> int:
        return len(self.columns)

    @classmethod
    def empty(cls) -> Index:
        """An index without episodes."""
        return cls([], [], [], np.empty(0, _ROW))

    @classmethod
    def of(cls, paths: Sequence[Path], cache: Path | None = None) -> Index:
        """The index of some files.

        Args:
            paths: Files with one JSON object per line.
            cache: Folder of stored indexes; defaults to the user's cache. A folder that cannot be written is no error.

        Raises:
            InvalidParameters: A file cannot be read, or none holds an episode.
        """
        paths = [path.resolve() for path in paths]
        stored = (cache or cache_folder()) / f"{_digest(*map(str, paths))}.npz"
        known = _load(stored, paths)
        index = cls._read(paths, known)
        if not len(index):
            listed = ", ".join(str(path) for path in paths)
            raise InvalidParameters(
                f"No episode in {listed}. Expected JSON lines: attempts of envhub eval, a file of envhub export, the "
                "episodes of a training run, results of verifiers, or objects with messages."
            )
        if known is None or len(index) != len(known):
            index._store(stored)
        return index

    @classmethod
    def _read(cls, paths: Sequence[Path], known: Index | None) -> Index:
        envs = Names(() if known is None else known.envs)
        reasons = Names(() if known is None else known.reasons, _MOST_NAMES)
        sources, parts = [], []
        for number, path in enumerate(paths):
            before = None if known is None else known.sources[number]
            if before is not None and known is not None:
                parts.append(known.columns[known.columns["source"] == number])
            start = 0 if before is None else before.size
            end = start
            for rows, reached in _scanned(path, number, start, envs, reasons):
                parts.append(rows)
                end = reached
            sources.append(Source(str(path), end, _head(path)))
        columns = np.concatenate(parts) if parts else np.empty(0, _ROW)
        return cls(sources, list(envs), list(reasons), columns)

    def _store(self, path: Path) -> None:
        about = {"format": FORMAT, "envs": self.envs, "reasons": self.reasons}
        about["sources"] = [[s.path, s.size, s.head] for s in self.sources]
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("wb") as file:
                np.savez(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), columns=self.columns)
            partial.replace(path)
        except OSError:  # an index that cannot be kept is built again next time
            partial.unlink(missing_ok=True)

    def line(self, number: int) -> bytes:
        """The line of an episode as it is in its file.

        Raises:
            IndexError: There is no such episode.
        """
        row = self.columns[number]
        with open(self.sources[row["source"]].path, "rb") as file:
            file.seek(int(row["offset"]))
            return file.read(int(row["length"]))

    def trajectory(self, number: int) -> Trajectory:
        """An episode, whole.

        Raises:
            IndexError: There is no such episode.
            InvalidParameters: Its file has changed since it was indexed.
        """
        try:
            found = read(_parsed(self.line(number)))
        except (OSError, ValueError):
            found = None
        if found is None:
            path = self.sources[self.columns[number]["source"]].path
            raise InvalidParameters(f"{path} has changed since it was read. Start envhub view again.")
        return found

    def facts(self, number: int) -> dict[str, Any]:
        """What a list shows of an episode, without reading its file."""
        row = self.columns[number]
        reward = float(row["reward"])
        return {
            "number": number,
            "env": self.envs[row["env"]],
            "level": int(row["level"]),
            "outcome": OUTCOMES[row["outcome"]],
            "reward": None if np.isnan(reward) else round(reward, 6),
            "turns": int(row["turns"]),
            "chars": int(row["chars"]),
        }


def cache_folder() -> Path:
    """The folder of stored indexes: ``envhub/views`` in ``XDG_CACHE_HOME`` or ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "envhub" / "views"


def _scanned(path: Path, source: int, start: int, envs: Names, reasons: Names) -> Iterator[tuple[np.ndarray, int]]:
    """Rows of a file from an offset on.

    They come in chunks, each with the offset of the line after it.
    """
    rows: list[tuple[Any, ...]] = []
    at = start
    try:
        with path.open("rb") as file:
            file.seek(start)
            for line in file:
                if not line.endswith(b"\n") and not _whole(line):
                    break  # still being written
                found = _facts(line)
                if found is not None:
                    rows.append((source, at, len(line), *_row(found, envs, reasons)))
                at += len(line)
                if len(rows) == _CHUNK:
                    yield np.array(rows, _ROW), at
                    rows = []
    except OSError as error:
        raise InvalidParameters(f"{path} cannot be read: {error.strerror}.") from None
    yield np.array(rows, _ROW), at


def _row(facts: Facts, envs: Names, reasons: Names) -> tuple[Any, ...]:
    """The columns of a row after its place."""
    env, why = envs.number(facts.env), reasons.number(facts.why)
    group = int.from_bytes(blake2b(facts.group.encode(), digest_size=8).digest(), "big") if facts.group else 0
    outcome = OUTCOMES.index(facts.outcome)
    return (env, facts.level, outcome, facts.abuse, facts.reward, facts.turns, facts.chars, group, why)


def _facts(line: bytes) -> Facts | None:
    try:
        found = read(_parsed(line))
    except ValueError:
        return None
    return None if found is None else found.facts


def _whole(line: bytes) -> bool:
    try:
        _parsed(line)
    except ValueError:
        return False
    return True


def _parsed(line: bytes) -> Mapping[str, Any]:
    """The object of a line.

    Raises:
        ValueError: It is no JSON object.
    """
    try:
        found = orjson.loads(line)
    except ValueError:
        found = json.loads(line)  # NaN, which Python writes
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def _load(stored: Path, paths: Sequence[Path]) -> Index | None:
    """A stored index of the same files, which may have grown since."""
    try:
        with stored.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            about, columns = json.loads(file["about"].tobytes()), file["columns"]
        sources = [Source(*source) for source in about["sources"]]
        if about["format"] != FORMAT or columns.dtype != _ROW:
            return None
        if [source.path for source in sources] != list(map(str, paths)) or not all(map(_same, sources)):
            return None
        return Index(sources, about["envs"], about["reasons"], columns)
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile):  # none, or not whole
        return None


def _same(source: Source) -> bool:
    path = Path(source.path)
    return source.head == _head(path) and source.size <= path.stat().st_size


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            first = file.readline(_HEAD)
    except OSError as error:
        raise InvalidParameters(f"{path} cannot be read: {error.strerror}.") from None
    return _digest(first.decode("utf-8", "replace"), str(path.stat().st_ino))


def _digest(*texts: str) -> str:
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

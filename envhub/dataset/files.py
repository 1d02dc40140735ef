"""Files of a dataset, safe against crashes.

An append-only work file and its header.

For ``--out tasks.jsonl`` the rows go to ``tasks.jsonl.part`` and ``tasks.config.json`` contains their configuration; both are
removed once ``tasks.jsonl`` and ``tasks.card.md`` exist. After a crash at any point, the same command finds the configuration,
drops an incomplete line and resumes after the last complete one. Each of several splits has its own file:
``tasks.train.jsonl``, ``tasks.test.jsonl``.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson

from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra, SplitExhausted, nearest
from envhub.dataset.images import COLUMN, HUB_METADATA, column_type, with_bytes, with_files

SUFFIXES: Final = (".jsonl", ".parquet")
_ROW_GROUP: Final = 4096


_FAILED: Final = "failed"  # next to the configuration of a dataset that ran out of problems


class OutputExists(EnvhubError, FileExistsError):
    """The output file already exists or is being written."""


@dataclass(frozen=True)
class Files:
    """Paths of a dataset.

    Attributes:
        out: Requested path; it ends in ``.jsonl`` or ``.parquet``.
        splits: Splits of the dataset; several have a file each.

    Raises:
        InvalidParameters: The suffix is unknown, or the folder does not exist.
        MissingExtra: The output is parquet, and pyarrow is not installed.
    """

    out: Path
    splits: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.out.suffix not in SUFFIXES:
            hint = nearest(self.out.suffix, SUFFIXES)
            raise InvalidParameters(f"A dataset is written as .jsonl or .parquet, got {self.out.name!r}.{hint}")
        if not self.out.parent.is_dir():
            raise InvalidParameters(f"There is no folder {self.out.parent}.")
        if self.parquet:
            _pyarrow()

    @property
    def parquet(self) -> bool:
        """Whether the output is parquet."""
        return self.out.suffix == ".parquet"

    @property
    def config(self) -> Path:
        """Path of the configuration of an unfinished dataset."""
        return self.out.with_suffix(".config.json")

    @property
    def card(self) -> Path:
        """Path of the card of a finished dataset."""
        return self.out.with_suffix(".card.md")

    def of(self, split: str) -> Path:
        """The file of a split."""
        return self.out if len(self.splits) == 1 else self.out.with_suffix(f".{split}{self.out.suffix}")

    def part(self, split: str) -> Path:
        """The work file of a split: always JSON lines."""
        return self.of(split).with_suffix(".jsonl.part")

    @contextmanager
    def claimed(self, config: Mapping[str, Any], overwrite: bool) -> Iterator[None]:
        """Lock these files while a dataset is written.

        Raises:
            OutputExists: The files contain another dataset or a finished one, or are being written.
        """
        whole = json.dumps(config, indent=1, sort_keys=True).encode()
        descriptor = self._locked()
        try:
            found = os.pread(descriptor, 1 << 24, 0)
            old = _config(found)
            failed = old is not None and old.pop(_FAILED, False)
            if found and old is None:
                raise OutputExists(
                    f"{self.config} is not the configuration of a dataset, but its name is needed; choose another --out."
                )
            if old is None or overwrite:
                self._clear(overwrite)
                _rewrite(descriptor, whole)
            elif old == {**config, "allow_fewer": False}:
                _rewrite(descriptor, whole)  # options suggested when a stratum runs dry: the rows so far are the same
            elif old != config and (failed or self._nothing_written()):
                self._discard(old)  # the command could not succeed, and was corrected
                self._clear(overwrite)
                _rewrite(descriptor, whole)
            elif old != config:
                raise OutputExists(_differs(self.config, old, config))
            yield
        except SplitExhausted:
            _rewrite(descriptor, json.dumps({**config, _FAILED: True}, indent=1, sort_keys=True).encode())
            raise
        finally:
            os.close(descriptor)

    def _nothing_written(self) -> bool:
        """Whether no split has a row, and there is no card."""
        begun = {*self.out.parent.glob(f"{self.out.stem}*.jsonl.part"), *map(self.of, self.splits), self.card}
        return not any(path.exists() and path.stat().st_size for path in begun)

    def _discard(self, old: Mapping[str, Any]) -> None:
        """Delete the rows of an unfinished dataset."""
        theirs = Files(self.out, tuple(old["splits"]))
        for split in theirs.splits:
            theirs.of(split).unlink(missing_ok=True)
            theirs.part(split).unlink(missing_ok=True)

    def _locked(self) -> int:
        """The configuration, open and locked."""
        while True:
            descriptor = os.open(self.config, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self.config.exists() and os.path.samestat(os.fstat(descriptor), self.config.stat()):
                    return descriptor
            except BlockingIOError:
                os.close(descriptor)
                raise OutputExists(f"{self.out} is being written by another process.") from None
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # the process that held the lock has finished and removed the file

    def _clear(self, overwrite: bool) -> None:
        written = [path for split in self.splits for path in (self.of(split), self.part(split))]
        there = [path for path in (*written, self.card) if path.exists()]
        if there and not overwrite:
            self.config.unlink()
            names = ", ".join(map(str, there))
            raise OutputExists(f"{names} already exists; choose another name or pass --overwrite.")
        for path in there:
            path.unlink()

    def finish(self, split: str) -> None:
        """Convert the work file of a split to the output.

        Finished work is kept.
        """
        if not self.parquet:
            if not self.of(split).exists():
                _write_pictures(self.part(split), self.of(split).with_suffix(".images"))
                os.replace(self.part(split), self.of(split))
            return
        if not self.of(split).exists():
            target = self.of(split).with_suffix(".parquet.part")
            _to_parquet(self.part(split), target)
            os.replace(target, self.of(split))
        self.part(split).unlink(missing_ok=True)


def _config(found: bytes) -> dict[str, Any] | None:
    """The configuration in a file's bytes.

    None if it is not a configuration.
    """
    try:
        config = json.loads(found)
    except (ValueError, RecursionError):
        return None
    return config if isinstance(config, dict) and {"environments", "splits", "version"} <= config.keys() else None


def _rewrite(descriptor: int, whole: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, whole, 0)


def _differs(path: Path, old: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    what = [f"{name} {old.get(name)!r}" for name in config if json.dumps(old.get(name)) != json.dumps(config[name])]
    return (
        f"{path} is of an unfinished dataset that differs ({'; '.join(what)}). Run its command again to finish it, "
        "or pass --overwrite."
    )


def whole_lines(path: Path) -> Iterator[bytes]:
    """Complete lines of a work file; an incomplete last line is truncated."""
    if not path.exists():
        return
    kept = 0
    with path.open("rb") as lines:
        for line in lines:
            if not line.endswith(b"\n"):
                break
            kept += len(line)
            yield line
    os.truncate(path, kept)


def rows(path: Path) -> Iterator[Any]:
    """The rows of a finished file, one at a time.

    Raises:
        InvalidParameters: The file cannot be read, or a line is not JSON.
        MissingExtra: The file is parquet, and pyarrow is not installed.
    """
    try:
        yield from _parquet_rows(path) if path.suffix == ".parquet" else json_lines(path)
    except OSError as error:
        raise InvalidParameters(f"{path} cannot be read: {error.strerror or error}.") from None


def json_lines(path: Path) -> Iterator[Any]:
    """Values of a JSON lines file.

    Blank lines are allowed only at its end.

    Raises:
        InvalidParameters: The file cannot be read, or a line is not JSON.
    """
    blank: int | None = None
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    blank = blank or number
                elif blank is not None:
                    raise InvalidParameters(f"{path}, line {blank}, is blank, and others follow.")
                else:
                    try:
                        yield _value(line)
                    except (ValueError, RecursionError) as error:
                        raise InvalidParameters(f"{path}, line {number}, is not JSON: {error}.") from None
    except OSError as error:
        raise InvalidParameters(f"{path} cannot be read: {error.strerror or error}.") from None


def _value(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except ValueError:
        return json.loads(line.decode("utf-8-sig"))  # accepts half a surrogate pair, which a policy may have written


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        digest = sha256()
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
        return digest.hexdigest()


# -- parquet -----------------------------------------------------------------------------------------------------------


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra(f"Parquet needs more: pip install 'envhub[data]' ({error}).") from error
    return pyarrow


def _parquet_rows(path: Path) -> Iterator[Any]:
    pa = _pyarrow()
    try:
        for batch in pa.parquet.ParquetFile(path).iter_batches(batch_size=1024):
            yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise InvalidParameters(f"{path} cannot be read as parquet: {error}.") from None


def _to_parquet(source: Path, target: Path) -> None:
    """Convert JSON lines to parquet, one row group at a time."""
    pa = _pyarrow()
    lines = map(with_bytes, json_lines(source))
    group = _take(lines)
    metadata = HUB_METADATA if COLUMN in group[0] else None
    schema = pa.schema([(name, _type(pa, name, value)) for name, value in group[0].items()], metadata)
    with pa.parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        while group:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            group = _take(lines)


def _write_pictures(path: Path, folder: Path) -> None:
    """Write the pictures of a work file as files."""
    if COLUMN not in next(json_lines(path), {}):
        return
    if not any(
        picture["bytes"] for row in json_lines(path) for picture in row[COLUMN]
    ):  # they have been written before
        return
    target = path.with_suffix(".written")
    with target.open("wb") as out:
        for row in with_files(json_lines(path), folder):
            out.write(orjson.dumps(row) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    os.replace(target, path)


def _take(lines: Iterator[Any]) -> list[Any]:
    return [row for _, row in zip(range(_ROW_GROUP), lines, strict=False)]


_NULLABLE: Final = {"answer_format": "string", "wording": "string"}


def _type(pa: Any, name: str, value: Any) -> Any:
    """Column type of a value; equal in all rows of a format."""
    if name == COLUMN:
        return column_type(pa)
    if value is None or name in _NULLABLE:
        return getattr(pa, _NULLABLE[name])()
    if isinstance(value, dict):
        return pa.struct([(key, _type(pa, key, item)) for key, item in value.items()])
    if isinstance(value, list):
        return pa.list_(_type(pa, name, value[0]))
    return {bool: pa.bool_, int: pa.int64, str: pa.string}[type(value)]()

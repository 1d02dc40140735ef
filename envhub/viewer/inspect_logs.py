"""Logs of Inspect, as lines that :mod:`envhub.viewer.trajectories` reads.

A log is one JSON document, or a zip file with one JSON document per sample (``.eval``). The format is that of
inspect-ai 0.3.285: https://inspect.aisi.org.uk/eval-logs.html
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.types import JSON

SUFFIX: Final = ".eval"
_ZSTANDARD: Final = 93  # number of the compression method in a zip file
_LOCAL_HEADER: Final = 30
_ATTACHMENT: Final = "attachment://"


def is_log(path: Path) -> bool:
    """Whether a file has the name and the fields of a log."""
    if path.suffix == SUFFIX:
        return zipfile.is_zipfile(path)
    return path.suffix == ".json" and isinstance(found := _document(path), dict) and {"eval", "samples"} <= found.keys()


def convert(path: Path, out: Path) -> Path:
    """Write the samples of a log as JSON lines.

    Raises:
        InvalidParameters: The file is damaged.
        MissingExtra: Its samples are compressed with Zstandard and pyarrow is not installed.
    """
    try:
        with out.open("w", encoding="utf-8") as file:
            for line in _lines(path):
                file.write(json.dumps(line) + "\n")
    except (KeyError, TypeError, AttributeError, ValueError, zipfile.BadZipFile, struct.error) as error:
        raise InvalidParameters(f"{path} is not a log of Inspect that can be read: {error}.") from None
    return out


def _lines(path: Path) -> Iterator[dict[str, JSON]]:
    if path.suffix != SUFFIX:
        log = json.loads(path.read_bytes())
        yield from (_line(log["eval"]["task"], sample) for sample in log["samples"] or ())
        return
    with zipfile.ZipFile(path) as packed, path.open("rb") as file:
        names = [name for name in packed.namelist() if name.startswith("samples/") and name.endswith(".json")]
        start = next(name for name in ("header.json", "_journal/start.json") if name in packed.namelist())
        task = json.loads(_unpacked(packed, file, start))["eval"]["task"]
        for name in names:
            yield _line(task, json.loads(_unpacked(packed, file, name)))


def _line(task: str, sample: Mapping[str, Any]) -> dict[str, JSON]:
    """A sample without its events, and with its attachments in place."""
    apart = sample.get("attachments") or {}
    kept = {name: sample.get(name) for name in ("id", "epoch", "scores", "error", "metadata")}
    return {"inspect": task, **kept, "messages": _resolved(sample["messages"], apart)}


def _resolved(value: Any, apart: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return apart.get(value.removeprefix(_ATTACHMENT), value) if value.startswith(_ATTACHMENT) else value
    if isinstance(value, list):
        return [_resolved(item, apart) for item in value]
    if isinstance(value, dict):
        return {name: _resolved(item, apart) for name, item in value.items()}
    return value


def _unpacked(packed: zipfile.ZipFile, file: IO[bytes], name: str) -> bytes:
    """A member of a zip file.

    Before 3.14, Python's own module does not read Zstandard.
    """
    member = packed.getinfo(name)
    if member.compress_type != _ZSTANDARD:
        return packed.read(name)
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("Logs of Inspect need pyarrow. Install it with: pip install 'envhub[data]'") from None
    file.seek(member.header_offset)
    header = file.read(_LOCAL_HEADER)
    name_length, extra_length = struct.unpack("<HH", header[26:30])
    file.seek(name_length + extra_length, 1)
    content = file.read(member.compress_size)
    return bytes(pyarrow.Codec("zstd").decompress(content, member.file_size, asbytes=True))


def _document(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None

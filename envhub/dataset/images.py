"""The column of pictures in a dataset.

Each picture has the layout of the Hub's ``Image`` feature: ``{"bytes": ..., "path": ...}``. In the work file, which is JSON
lines, the bytes are base64. A parquet file contains the bytes themselves. Beside finished JSON lines the pictures are files,
and the rows name them.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

COLUMN: Final = "images"


def column_of(pictures: Sequence[bytes], row: int) -> list[dict[str, str]]:
    """The pictures of a row, as in a work file."""
    return [{"bytes": b64encode(png).decode(), "path": f"{row}-{at}.png"} for at, png in enumerate(pictures)]


def with_bytes(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a work file with the bytes of its pictures."""
    if COLUMN not in row:
        return row
    return {**row, COLUMN: [{**picture, "bytes": b64decode(picture["bytes"])} for picture in row[COLUMN]]}


def with_files(rows: Iterable[dict[str, Any]], folder: Path) -> Iterator[dict[str, Any]]:
    """Rows of a work file, whose pictures are written to a folder.

    The paths in the rows are relative to the folder's parent.
    """
    folder.mkdir(exist_ok=True)
    for row in rows:
        found = []
        for picture in row[COLUMN]:
            (folder / picture["path"]).write_bytes(b64decode(picture["bytes"]))
            found.append({"bytes": None, "path": f"{folder.name}/{picture['path']}"})
        yield {**row, COLUMN: found}


HUB_METADATA: Final = {b"huggingface": json.dumps({"info": {"features": {COLUMN: [{"_type": "Image"}]}}}).encode()}
"""Metadata of a parquet file; it makes `datasets` read the column as pictures."""


def column_type(pa: Any) -> Any:
    """The type of the column in parquet."""
    return pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))

"""What the tests of writing a dataset share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envhub.dataset import DatasetConfig, Written, generate

SEVERAL: dict[str, Any] = {"splits": {"train": 17, "test": 6, "validation": 5}, "levels": (2, 4)}
IDS = ("arithmetic-v0", "countdown-v0", "guess-number-v0")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def made(folder: Path, of: DatasetConfig, name: str = "t.jsonl", **settings: Any) -> Written:
    folder.mkdir(exist_ok=True)
    return generate(of, folder / name, **{"processes": 1, **settings})

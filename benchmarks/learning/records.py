"""Results of learning runs, one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "records"

Measures = Mapping[str, float]
"""Named results of a model: shares of solved episodes, or other quantities."""


@dataclass(frozen=True)
class Record:
    """A finished run.

    Attributes:
        arm: Variant of the experiment.
        seed: Seed of model, tasks and samples.
        permuted: Whether rewards were permuted.
        before: Results of the initial model.
        after: Results of the trained model.
        episodes: Number of training episodes.
        tried: Number of evaluation episodes of each measure.
        cpu_s: CPU seconds of the training.
    """

    arm: str
    seed: int
    permuted: bool
    before: Measures
    after: Measures
    episodes: int
    tried: int
    cpu_s: float

    @property
    def key(self) -> tuple[str, int, bool]:
        """What identifies the run within its experiment."""
        return self.arm, self.seed, self.permuted

    def rise(self, measure: str) -> float:
        """What training added to a measure."""
        return self.after[measure] - self.before[measure]


class Records:
    """The records of one experiment, in a file that only grows.

    Args:
        name: Name of the experiment.
        folder: Folder of the file.
    """

    def __init__(self, name: str, folder: Path = FOLDER) -> None:
        self._path = folder / f"{name}.jsonl"
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        self._found = {record.key: record for record in (Record(**json.loads(line)) for line in lines)}

    def __contains__(self, key: tuple[str, int, bool]) -> bool:
        return key in self._found

    def add(self, record: Record) -> None:
        """Append a record."""
        self._found[record.key] = record
        self._path.parent.mkdir(parents=True, exist_ok=True)
        told: dict[str, Any] = asdict(record)
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    def of(self, arm: str, permuted: bool = False) -> list[Record]:
        """The records of an arm, by seed."""
        found = [record for key, record in self._found.items() if key[0] == arm and key[2] == permuted]
        return sorted(found, key=lambda record: record.seed)

"""Writes a dataset from candidates, each problem once.

Row ``i`` is the first candidate of its stratum that is not excluded and whose problem is in no earlier row. So the
bytes of a dataset depend only on its configuration, not on the number of processes or interruptions.

The number of problems of a stratum is unknown. A stratum counts as exhausted when 200 candidates, plus five per problem
found, gave nothing new: if one of ``n`` equally likely problems were left, they would all miss it with probability of
about 1/150.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from envhub.core.errors import EnvhubError, InvalidParameters, SplitExhausted
from envhub.dataset import truth
from envhub.dataset.card import is_card_of, write_card
from envhub.dataset.config import DatasetConfig, Stratum
from envhub.dataset.drawing import Candidate, Pool
from envhub.dataset.exclusion import Exclusion
from envhub.dataset.files import Files, rows, whole_lines
from envhub.dataset.formats import FORMATS, Sample

_PATIENCE: Final = 200
_PATIENCE_EACH: Final = 5
_DRY: Final = 50  # a seed without any attempt of the split counts as this many candidates

OnRow = Callable[[str, int, int], None]


@dataclass
class Written:
    """A finished dataset.

    Attributes:
        config: Configuration of the dataset.
        files: File of each split.
        card: Path of its dataset card.
        counts: Rows by split, environment and level.
        resumed: Rows that already existed.
    """

    config: DatasetConfig
    files: dict[str, Path]
    card: Path
    counts: dict[str, dict[Stratum, int]]
    resumed: int = 0

    @property
    def rows(self) -> int:
        """Total number of rows."""
        return sum(sum(counts.values()) for counts in self.counts.values())

    def to_json(self) -> dict[str, Any]:
        """Summary as JSON values."""
        return {
            "rows": self.rows,
            "resumed": self.resumed,
            "files": {split: str(path) for split, path in self.files.items()},
            "card": str(self.card),
            "counts": {
                split: [{"env_id": s.env_id, "difficulty": s.level, "rows": rows} for s, rows in counts.items()]
                for split, counts in self.counts.items()
            },
        }


def generate(
    config: DatasetConfig,
    out: Path,
    *,
    exclusion: Exclusion | None = None,
    processes: int | None = None,
    overwrite: bool = False,
    on_row: OnRow | None = None,
) -> Written:
    """Write a dataset, or resume writing one.

    A finished dataset of the same configuration is left as it is.

    Args:
        config: Configuration of the dataset.
        out: Output path, ``.jsonl`` or ``.parquet``; several splits get a file each next to it.
        exclusion: Content it must not contain; its digest is part of the configuration.
        processes: Number of drawing processes; defaults to one per core.
        overwrite: Start over and replace existing files.
        on_row: Called with split, rows so far and total rows, for a progress bar.

    Raises:
        SplitExhausted: A stratum has fewer problems than rows, and the configuration does not allow fewer.
        OutputExists: ``out`` exists and is another dataset, or is unfinished with another configuration.
        InvalidParameters: An argument is invalid.
    """
    exclusion = exclusion or Exclusion()
    if config.exclude != (exclusion.digest if exclusion else None):
        raise InvalidParameters("The exclusion does not match the configuration: set exclude=exclusion.digest there.")
    processes = processes or os.cpu_count() or 1
    if processes < 0:
        raise InvalidParameters(f"processes is a positive integer, got {processes}.")
    files = Files(out, tuple(config.splits))
    if files.parquet and not FORMATS[config.format].tabular:
        raise InvalidParameters(f"The rows of {config.format} have no common columns, as parquet needs; write .jsonl.")
    try:
        return _generate(config, files, exclusion, processes, overwrite, on_row)
    except OSError as error:
        if isinstance(error, EnvhubError):
            raise
        raise EnvhubError(f"{out} cannot be written: {error}.") from error


def _generate(
    config: DatasetConfig, files: Files, exclusion: Exclusion, processes: int, overwrite: bool, on_row: OnRow | None
) -> Written:
    if not overwrite and (finished := _finished(config, files)) is not None:
        return finished
    with files.claimed(config.to_json(), overwrite):
        progress = {split: _Progress(config, split) for split in config.splits}
        seen: set[bytes] = set()
        resumed = 0
        for split in config.splits:
            resumed += _take_up(progress[split], files, seen)
        with Pool(config, exclusion, processes) as pool:
            for split in config.splits:
                if not files.of(split).exists():
                    _write(progress[split], files.part(split), pool, seen, on_row)
        for split in config.splits:
            files.finish(split)
        counts = {split: progress[split].found for split in config.splits}
        written = Written(config, {split: files.of(split) for split in config.splits}, files.card, counts, resumed)
        write_card(config, written.files, counts, files.card)
        files.config.unlink()
    return written


def _finished(config: DatasetConfig, files: Files) -> Written | None:
    """The dataset, if exactly this one is finished and matches its card."""
    written = {split: files.of(split) for split in config.splits}
    if files.config.exists() or not all(path.is_file() for path in (*written.values(), files.card)):
        return None
    if not is_card_of(config, written, files.card):
        return None
    progress = {split: _Progress(config, split) for split in config.splits}
    resumed = sum(_take_up(progress[split], files, set()) for split in config.splits)
    return Written(config, written, files.card, {split: each.found for split, each in progress.items()}, resumed)


@dataclass
class _Progress:
    """Progress of a split.

    Attributes:
        row: Number of rows.
        slot: The next slot; slots are rows, except those of exhausted strata.
        found: Rows by stratum.
        positions: The next candidate by stratum.
        dry: Exhausted strata.
    """

    config: DatasetConfig
    split: str
    row: int = 0
    slot: int = 0
    found: dict[Stratum, int] = field(default_factory=dict)
    positions: dict[Stratum, int] = field(default_factory=dict)
    dry: set[Stratum] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.found = dict.fromkeys(self.config.strata, 0)
        self.positions = dict.fromkeys(self.config.strata, 0)

    def read(self, row: Any) -> bytes:
        """Record a row that is already written; returns its fingerprint.

        Raises:
            KeyError: The row does not belong to this dataset.
            TypeError: The row does not belong to this dataset.
            ValueError: The row does not belong to this dataset, or is not the next one.
        """
        config = self.config
        known = FORMATS[config.format].read(row)
        key = truth.read(known.truth)
        stratum = Stratum(key.env_id, known.facts["difficulty"])
        if known.facts["index"] != self.row or stratum not in self.found:
            raise ValueError("it is not the row that belongs there")
        while self.slot < config.splits[self.split] and (other := config.stratum_of(self.slot)) != stratum:
            self.dry.add(other)  # it was skipped
            self.slot += 1
        if self.slot >= config.splits[self.split] or (self.dry and not config.allow_fewer):
            raise ValueError("there are rows that do not belong there")
        self.slot += 1
        first = self.positions[stratum]
        tried = range(first, first + _patience(self.found[stratum]))
        position = next((at for at in tried if config.seed_of(stratum, self.split, at) == key.seed), None)
        if position is None:
            raise ValueError("its seed is not one of this dataset")
        self.positions[stratum] = position + 1
        self.found[stratum] += 1
        self.row += 1
        return bytes.fromhex(known.facts["fingerprint"])


def _take_up(progress: _Progress, files: Files, seen: set[bytes]) -> int:
    """Read the existing rows of a split; returns their number."""
    done = files.of(progress.split)
    path = done if done.exists() else files.part(progress.split)
    written = rows(done) if done.exists() else map(orjson.loads, whole_lines(path))
    try:
        for row in written:
            seen.add(progress.read(row))
    except (ValueError, KeyError, TypeError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InvalidParameters(
            f"{path} is damaged at row {progress.row + 1}: {what}. Delete the files, or pass --overwrite to start over."
        ) from None
    return progress.row


def _write(progress: _Progress, path: Path, pool: Pool, seen: set[bytes], on_row: OnRow | None) -> None:
    """Write the missing rows of a split."""
    config, split = progress.config, progress.split
    layout = FORMATS[config.format]
    feeds = {
        stratum: pool.feed(stratum, split, progress.positions[stratum], config.rows_of(stratum, split) - found)
        for stratum, found in progress.found.items()
    }
    with path.open("ab") as out:
        for slot in range(progress.slot, config.splits[split]):
            stratum = config.stratum_of(slot)
            if len(progress.dry) == len(feeds):
                break
            if stratum in progress.dry:
                continue
            candidate = _first_new(feeds[stratum], seen, progress.found[stratum])
            if candidate is None:
                progress.dry.add(stratum)
                if not config.allow_fewer:
                    raise SplitExhausted(_exhausted(config, split, stratum, progress.found[stratum]))
                continue
            out.write(orjson.dumps(layout.row(_sample(config, stratum, progress.row, candidate))) + b"\n")
            out.flush()  # written rows survive a kill
            progress.found[stratum] += 1
            progress.row += 1
            if on_row is not None:
                on_row(split, progress.row, config.splits[split])
        os.fsync(out.fileno())  # before the rename
    if progress.row == 0:
        raise SplitExhausted(f"There is not a single problem for the split {split!r}; leave it out.")


def _first_new(feed: Iterator[Candidate], seen: set[bytes], found: int) -> Candidate | None:
    """The next candidate with a new problem.

    None if the stratum seems exhausted.
    """
    patience = _patience(found)
    while patience > 0:
        candidate = next(feed)
        if candidate.task is None:
            patience -= _DRY
            continue
        fingerprint = bytes.fromhex(candidate.task.fingerprint)
        if not candidate.excluded and fingerprint not in seen:
            seen.add(fingerprint)
            return candidate
        patience -= 1
    return None


def _patience(found: int) -> int:
    """Number of candidates tried for the next problem of a stratum."""
    return _PATIENCE + _PATIENCE_EACH * found


def _sample(config: DatasetConfig, stratum: Stratum, number: int, candidate: Candidate) -> Sample:
    assert candidate.task is not None
    return Sample(
        candidate.task,
        config.ability(stratum.env_id),
        number,
        stratum.level,
        config.environment(stratum.env_id).max_turns > 1,
        config.form,
        config.system,
        candidate.solution,
        candidate.pictures,
    )


def _exhausted(config: DatasetConfig, split: str, stratum: Stratum, found: int) -> str:
    wanted = config.rows_of(stratum, split)
    kept_out = " that are not excluded" if config.exclude else ""
    most = found * len(config.strata)
    fewer = f"ask for at most {most} rows, " if most else ""
    return (
        f"{stratum.env_id} at difficulty {stratum.level} has about {found} different problems{kept_out} in the split "
        f"{split!r}, and {wanted} rows were to be made of them: {fewer}take other difficulties, or allow fewer rows "
        "(--allow-fewer)."
    )

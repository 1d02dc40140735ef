"""Writes a dataset from candidates, each problem once.

Row ``i`` is the first candidate of its stratum that is not excluded and whose problem is in no earlier row. So the
bytes of a dataset depend only on its plan, not on the number of processes or interruptions.

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
from envhub.dataset.drawing import Candidate, Pool
from envhub.dataset.exclusion import Exclusion
from envhub.dataset.files import Files, rows, whole_lines
from envhub.dataset.formats import FORMATS, Sample
from envhub.dataset.plan import Plan, Stratum

_PATIENCE: Final = 200
_PATIENCE_EACH: Final = 5
_DRY: Final = 50  # a seed without any attempt of the split counts as this many candidates

OnRow = Callable[[str, int, int], None]


@dataclass
class Written:
    """A finished dataset.

    Attributes:
        plan: Plan of the dataset.
        files: File of each split.
        card: Path of its dataset card.
        counts: Rows by split, environment and level.
        resumed: Rows that already existed.
    """

    plan: Plan
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
    plan: Plan,
    out: Path,
    *,
    exclusion: Exclusion | None = None,
    processes: int | None = None,
    overwrite: bool = False,
    on_row: OnRow | None = None,
) -> Written:
    """Write a dataset, or resume writing one. A finished dataset of the same plan is left as it is.

    Args:
        plan: Plan of the dataset.
        out: Output path, ``.jsonl`` or ``.parquet``; several splits get a file each next to it.
        exclusion: Content it must not contain; its digest is part of the plan.
        processes: Number of drawing processes; defaults to one per core.
        overwrite: Start over and replace existing files.
        on_row: Called with split, rows so far and total rows, for a progress bar.

    Raises:
        SplitExhausted: A stratum has fewer problems than rows, and the plan does not allow fewer.
        OutputExists: ``out`` exists and is not the finished dataset of this plan, or is of another plan.
        InvalidParameters: An argument is invalid.
    """
    exclusion = exclusion or Exclusion()
    if plan.exclude != (exclusion.digest if exclusion else None):
        raise InvalidParameters("The exclusion is not the one of the plan: set exclude=exclusion.digest there.")
    processes = processes or os.cpu_count() or 1
    if processes < 0:
        raise InvalidParameters(f"processes is a positive integer, got {processes}.")
    files = Files(out, tuple(plan.splits))
    if files.parquet and not FORMATS[plan.format].tabular:
        raise InvalidParameters(f"The rows of {plan.format} have no common columns, as parquet needs; write .jsonl.")
    try:
        return _generate(plan, files, exclusion, processes, overwrite, on_row)
    except OSError as error:
        if isinstance(error, EnvhubError):
            raise
        raise EnvhubError(f"{out} cannot be written: {error}.") from error


def _generate(
    plan: Plan, files: Files, exclusion: Exclusion, processes: int, overwrite: bool, on_row: OnRow | None
) -> Written:
    if not overwrite and (finished := _finished(plan, files)) is not None:
        return finished
    with files.claimed(plan.to_json(), overwrite):
        progress = {split: _Progress(plan, split) for split in plan.splits}
        seen: set[bytes] = set()
        resumed = 0
        for split in plan.splits:
            resumed += _take_up(progress[split], files, seen)
        with Pool(plan, exclusion, processes) as pool:
            for split in plan.splits:
                if not files.of(split).exists():
                    _write(progress[split], files.part(split), pool, seen, on_row)
        for split in plan.splits:
            files.finish(split)
        counts = {split: progress[split].found for split in plan.splits}
        written = Written(plan, {split: files.of(split) for split in plan.splits}, files.card, counts, resumed)
        write_card(plan, written.files, counts, files.card)
        files.plan.unlink()
    return written


def _finished(plan: Plan, files: Files) -> Written | None:
    """The dataset, if exactly this one is finished and matches its card."""
    written = {split: files.of(split) for split in plan.splits}
    if files.plan.exists() or not all(path.is_file() for path in (*written.values(), files.card)):
        return None
    if not is_card_of(plan, written, files.card):
        return None
    progress = {split: _Progress(plan, split) for split in plan.splits}
    resumed = sum(_take_up(progress[split], files, set()) for split in plan.splits)
    return Written(plan, written, files.card, {split: each.found for split, each in progress.items()}, resumed)


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

    plan: Plan
    split: str
    row: int = 0
    slot: int = 0
    found: dict[Stratum, int] = field(default_factory=dict)
    positions: dict[Stratum, int] = field(default_factory=dict)
    dry: set[Stratum] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.found = dict.fromkeys(self.plan.strata, 0)
        self.positions = dict.fromkeys(self.plan.strata, 0)

    def read(self, row: Any) -> bytes:
        """Record a row that is already written; returns its fingerprint.

        Raises:
            KeyError: The row does not belong to this dataset.
            TypeError: The row does not belong to this dataset.
            ValueError: The row does not belong to this dataset, or is not the next one.
        """
        plan = self.plan
        known = FORMATS[plan.format].read(row)
        key = truth.read(known.truth)
        stratum = Stratum(key.env_id, known.facts["difficulty"])
        if known.facts["index"] != self.row or stratum not in self.found:
            raise ValueError("it is not the row that belongs there")
        while self.slot < plan.splits[self.split] and (other := plan.stratum_of(self.slot)) != stratum:
            self.dry.add(other)  # it was skipped
            self.slot += 1
        if self.slot >= plan.splits[self.split] or (self.dry and not plan.allow_fewer):
            raise ValueError("there are rows that do not belong there")
        self.slot += 1
        first = self.positions[stratum]
        tried = range(first, first + _patience(self.found[stratum]))
        position = next((at for at in tried if plan.seed_of(stratum, self.split, at) == key.seed), None)
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
    plan, split = progress.plan, progress.split
    layout = FORMATS[plan.format]
    feeds = {
        stratum: pool.feed(stratum, split, progress.positions[stratum], plan.rows_of(stratum, split) - found)
        for stratum, found in progress.found.items()
    }
    with path.open("ab") as out:
        for slot in range(progress.slot, plan.splits[split]):
            stratum = plan.stratum_of(slot)
            if len(progress.dry) == len(feeds):
                break
            if stratum in progress.dry:
                continue
            candidate = _first_new(feeds[stratum], seen, progress.found[stratum])
            if candidate is None:
                progress.dry.add(stratum)
                if not plan.allow_fewer:
                    raise SplitExhausted(_exhausted(plan, split, stratum, progress.found[stratum]))
                continue
            out.write(orjson.dumps(layout.row(_sample(plan, stratum, progress.row, candidate))) + b"\n")
            out.flush()  # written rows survive a kill
            progress.found[stratum] += 1
            progress.row += 1
            if on_row is not None:
                on_row(split, progress.row, plan.splits[split])
        os.fsync(out.fileno())  # before the rename
    if progress.row == 0:
        raise SplitExhausted(f"There is not a single problem for the split {split!r}; leave it out.")


def _first_new(feed: Iterator[Candidate], seen: set[bytes], found: int) -> Candidate | None:
    """The next candidate with a new problem; None if the stratum seems exhausted."""
    patience = _patience(found)
    while patience > 0:
        candidate = next(feed)
        if candidate.task is None:
            patience -= _DRY
            continue
        mark = bytes.fromhex(candidate.task.fingerprint)
        if not candidate.excluded and mark not in seen:
            seen.add(mark)
            return candidate
        patience -= 1
    return None


def _patience(found: int) -> int:
    """Number of candidates tried for the next problem of a stratum."""
    return _PATIENCE + _PATIENCE_EACH * found


def _sample(plan: Plan, stratum: Stratum, number: int, candidate: Candidate) -> Sample:
    assert candidate.task is not None
    return Sample(
        candidate.task,
        plan.ability(stratum.env_id),
        number,
        stratum.level,
        plan.environment(stratum.env_id).max_turns > 1,
        plan.form,
        plan.system,
        candidate.solution,
    )


def _exhausted(plan: Plan, split: str, stratum: Stratum, found: int) -> str:
    wanted = plan.rows_of(stratum, split)
    kept_out = " that are not excluded" if plan.exclude else ""
    most = found * len(plan.strata)
    fewer = f"ask for at most {most} rows, " if most else ""
    return (
        f"{stratum.env_id} at difficulty {stratum.level} has about {found} different problems{kept_out} in the split "
        f"{split!r}, and {wanted} rows were to be made of them: {fewer}take other difficulties, or allow fewer rows "
        "(--allow-fewer)."
    )

"""Records of attempts: one line per attempt, written when it ends.

Read back to resume or to report. The first line identifies the configuration and the player; runs with others are rejected. A
line cut off by a crash is dropped when the file is reopened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Literal

from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON
from envhub.evaluation.config import EvaluationConfig, Job

NAME: Final = "attempts.jsonl"
Outcome = Literal["graded", "no_answer", "error", "endpoint"]


@dataclass(frozen=True)
class Record:
    """One attempt.

    Attributes:
        job: Which attempt.
        outcome: ``graded``, ``no_answer`` (nothing to grade: 0), ``error`` (we could not judge) or ``endpoint`` (the
            request failed); the last two have no score.
        solved: Whether the problem was solved.
        score: In [0, 1]; None without a score.
        turns: Number of actions.
        cut: Number of messages cut off by the model's token limit.
        tokens: Number of tokens written, if reported by the endpoint.
        why: Reason of a failure, if any.
        messages: The conversation.
        seed: Seed of the task.
        fingerprint: Fingerprint of its problem.
    """

    job: Job
    outcome: Outcome
    solved: bool = False
    score: float | None = None
    turns: int = 0
    cut: int = 0
    tokens: int = 0
    why: str = ""
    messages: list[JSON] = field(default_factory=list)
    seed: int = 0
    fingerprint: str = ""

    @property
    def judged(self) -> bool:
        """Whether it counts for the model's results."""
        return self.outcome in ("graded", "no_answer")

    def to_json(self) -> dict[str, JSON]:
        """All fields by name, as JSON values."""
        return {**asdict(self), "job": list(self.job)}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Record:
        """Restore a record from :meth:`to_json`."""
        return cls(**{**fields, "job": Job(*fields["job"])})


@dataclass(frozen=True)
class Read:
    """A file of attempts.

    Attributes:
        config: Configuration of the evaluation.
        player: Name of the player.
        records: The last record of every attempt, in the order of the configuration.
    """

    config: EvaluationConfig
    player: str
    records: list[Record]


def read(folder: Path) -> Read:
    """The attempts in a folder.

    Raises:
        InvalidParameters: The folder has no attempts, or the file is invalid.
    """
    head, records = _lines(folder / NAME)
    latest = {record.job: record for record in records}
    config = EvaluationConfig.from_json(head["config"])
    return Read(config, head["player"], [latest[job] for job in config.jobs() if job in latest])


class Records:
    """A file to which attempts are appended.

    Args:
        folder: Its folder; created if missing.
        config: Configuration of the evaluation.
        player: The player with everything that affects answers: the model's name and sampling settings.

    Raises:
        InvalidParameters: The folder contains attempts at other tasks, or of another player.
    """

    def __init__(self, folder: Path, config: EvaluationConfig, player: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / NAME
        self.done: dict[Job, Record] = {}
        if self._path.exists() and self._path.stat().st_size:
            self._go_on(config, player)
            self._file: IO[str] = self._path.open("a", encoding="utf-8")
        else:
            self._file = self._path.open("w", encoding="utf-8")
            self._write({"config": config.to_json(), "digest": config.digest, "player": player})

    def _go_on(self, config: EvaluationConfig, player: str) -> None:
        whole = self._path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]  # a line cut off by a crash has no line end
        if len(kept) < len(whole):
            with self._path.open("r+b") as file:
                file.truncate(len(kept))
        head, records = _lines(self._path)
        if head["digest"] != config.digest:
            raise InvalidParameters(
                f"{self._path} holds attempts at other tasks; name another folder, or the same configuration."
            )
        if head["player"] != player:
            raise InvalidParameters(
                f"{self._path} holds attempts of {head['player']!r}, not of {player!r}; name another folder."
            )
        self.done = {record.job: record for record in records if record.judged}

    def add(self, record: Record) -> None:
        """Append an attempt and flush it to disk."""
        self._write(record.to_json())
        if record.judged:
            self.done[record.job] = record

    def _write(self, fields: JSON) -> None:
        self._file.write(json.dumps(fields) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _lines(path: Path) -> tuple[dict[str, Any], Iterator[Record]]:
    try:
        head, *rest = path.read_text("utf-8").splitlines()
        first = json.loads(head)
        first["config"], first["digest"], first["player"]
    except OSError as error:
        raise InvalidParameters(f"There are no attempts in {path}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise InvalidParameters(f"{path} is no file of an evaluation.") from None
    return first, (Record.from_json(json.loads(line)) for line in rest)

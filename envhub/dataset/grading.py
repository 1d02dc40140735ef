"""Judges responses to a dataset: verdicts per row, and a summary.

Rows and responses are read in parallel, a few thousand at a time, so memory is bounded for files of any length. A line
of responses is ``{"response": "..."}`` (or ``["action", ...]`` where an episode has several turns), or ``{"responses":
[...]}`` for several samples of one row; it may contain the ``index`` of its row, which must then match. A response that
is null (or an empty list) is missing: it is an ``error``, counted separately and not scored as 0::

    report = judge_file(Path("tasks.jsonl"), Path("responses.jsonl"), on_verdict=write)
    report.mean, report.errors
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from envhub.core.errors import EnvhubError, InvalidParameters, nearest
from envhub.core.types import BROKEN_SHARE, CHECKER_FAILED, JSON, Verdict
from envhub.dataset import truth
from envhub.dataset.drawing import ENDED
from envhub.dataset.files import json_lines, rows
from envhub.dataset.formats import read_row
from envhub.registry.registry import begin_worker, registered
from envhub.verifiers.answers.extraction import FORMS
from envhub.workers import processes as workers

_CHUNK: Final = 256
_CHUNK_CHARACTERS: Final = 1 << 22
_AHEAD: Final = 3  # chunks in progress per process

Response = str | list[str] | None


class Judged(NamedTuple):
    """A response and its verdict.

    Attributes:
        row: Row number, from 0.
        sample: Number of the response to the row, from 0.
        env_id: The environment.
        difficulty: Level the row was drawn for; None if the row does not contain it.
        verdict: The verdict.
    """

    row: int
    sample: int
    env_id: str
    difficulty: int | None
    verdict: Verdict

    def to_json(self) -> dict[str, JSON]:
        """All fields by name, as JSON values."""
        head = {"index": self.row, "sample": self.sample, "env_id": self.env_id, "difficulty": self.difficulty}
        return {**head, **self.verdict.to_json()}


@dataclass
class Tally:
    """Counts of verdicts."""

    responses: int = 0
    solved: int = 0
    no_answer: int = 0
    errors: int = 0
    score: float = 0.0

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.responses += 1
        if verdict.score is None:
            self.errors += 1
            return
        self.score += verdict.score
        self.solved += bool(verdict.solved)
        self.no_answer += verdict.status == "no_answer"

    @property
    def mean(self) -> float | None:
        """Mean score of judged responses; None without any."""
        judged = self.responses - self.errors
        return self.score / judged if judged else None

    def to_json(self) -> dict[str, JSON]:
        """The counts by name."""
        return {
            "responses": self.responses,
            "mean_score": self.mean,
            "solved": self.solved,
            "no_answer": self.no_answer,
            "errors": self.errors,
        }


@dataclass
class Report:
    """Result of judging a file.

    Attributes:
        total: Counts over all responses.
        cells: Counts by environment and difficulty.
        reasons: Number of errors by code.
        checkers: By environment, number of answers on which a user's checker failed, which scores 0.
    """

    total: Tally = field(default_factory=Tally)
    cells: dict[tuple[str, int | None], Tally] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    checkers: dict[str, int] = field(default_factory=dict)

    def add(self, judged: Judged) -> None:
        """Count one judgement."""
        self.total.add(judged.verdict)
        self.cells.setdefault((judged.env_id, judged.difficulty), Tally()).add(judged.verdict)
        if judged.verdict.error is not None:
            code = judged.verdict.error.code
            self.reasons[code] = self.reasons.get(code, 0) + 1
        if judged.verdict.reason == CHECKER_FAILED:
            self.checkers[judged.env_id] = self.checkers.get(judged.env_id, 0) + 1

    def broken(self) -> list[str]:
        """Environments whose checkers fail on more than 1 % of answers."""
        answers: dict[str, int] = {}
        for (env_id, _), tally in self.cells.items():
            answers[env_id] = answers.get(env_id, 0) + tally.responses
        return sorted(env_id for env_id, failed in self.checkers.items() if failed > BROKEN_SHARE * answers[env_id])

    def to_json(self) -> dict[str, JSON]:
        """The report as JSON values."""
        ordered = sorted(self.cells.items(), key=lambda item: (item[0][0], item[0][1] or 0))
        return {
            "total": self.total.to_json(),
            "cells": [{"env_id": id, "difficulty": level, **tally.to_json()} for (id, level), tally in ordered],
            "errors": dict(sorted(self.reasons.items())),
            "checker_failures": dict(sorted(self.checkers.items())),
            "broken_checkers": list(self.broken()),
        }


def judge_file(
    tasks: Path,
    responses: Path,
    *,
    answer_format: str | None = None,
    processes: int | None = None,
    on_verdict: Callable[[Judged], None] | None = None,
) -> Report:
    """Judge the responses to a dataset.

    Args:
        tasks: A file of rows in any of our formats, ``.jsonl`` or ``.parquet``.
        responses: JSON lines, one per row.
        answer_format: Format that counts as well formatted; None uses each row's.
        processes: Number of judging processes; defaults to one per core.
        on_verdict: Called with every verdict, in row order.

    Raises:
        InvalidParameters: A file cannot be read, a line is invalid, or the files differ in length.
    """
    processes = processes or os.cpu_count() or 1
    if processes < 0:
        raise InvalidParameters(f"processes is a positive integer, got {processes}.")
    if answer_format is not None and answer_format not in FORMS:
        raise InvalidParameters(
            f"No answer format {answer_format!r}; there are {', '.join(FORMS)}.{nearest(answer_format, FORMS)}"
        )
    report = Report()
    for judged in _judged(_pairs(tasks, responses, answer_format), processes):
        report.add(judged)
        if on_verdict is not None:
            on_verdict(judged)
    return report


class _Pair(NamedTuple):
    row: int
    truth: str
    fingerprint: str
    env_id: str
    difficulty: int | None
    answer_format: str | None
    responses: list[Response]


def _pairs(tasks: Path, responses: Path, answer_format: str | None) -> Iterator[_Pair]:
    """Rows with their responses."""
    answers = json_lines(responses)
    index = -1
    for index, row in enumerate(rows(tasks)):
        known = read_row(row)
        if known is None:
            raise InvalidParameters(f"{tasks}, row {index + 1}, is not a row that envhub generate writes.")
        answer = next(answers, _END)
        if answer is _END:
            raise InvalidParameters(f"{responses} ends after {index} lines, and {tasks} has more rows.")
        facts = known.facts
        given = _responses(answer, facts.get("index", index), f"{responses}, line {index + 1}")
        wanted = answer_format or facts.get("answer_format")
        yield _Pair(index, known.truth, facts["fingerprint"], facts["env_id"], facts.get("difficulty"), wanted, given)
    if index < 0:
        raise InvalidParameters(f"{tasks} has no rows.")
    if next(answers, _END) is not _END:
        raise InvalidParameters(f"{responses} has more lines than {tasks} has rows, which is {index + 1}.")


_END: Final = object()


def _responses(answer: Any, index: int, where: str) -> list[Response]:
    """The responses of a line.

    Raises:
        InvalidParameters: The line contains no response.
    """
    if not isinstance(answer, dict):
        answer = {"response": answer}
    if answer.get("index", index) != index:
        raise InvalidParameters(f"{where} is for row {answer['index']!r} and stands beside row {index!r}.")
    several = "responses" in answer
    if not several and "response" not in answer:
        raise InvalidParameters(f"{where} has no response; it has {', '.join(map(str, answer)) or 'nothing'}.")
    given = answer["responses"] if several else [answer["response"]]
    if not isinstance(given, list):
        raise InvalidParameters(f"{where}: responses are a list, got {type(given).__name__}.")
    for one in given:
        texts = one if isinstance(one, list) else [one]
        if one is not None and not all(isinstance(text, str) for text in texts):
            raise InvalidParameters(f"{where}: a response is text, a list of texts (one a turn) or null.")
    return given or [None]


def _judged(pairs: Iterator[_Pair], processes: int) -> Iterator[Judged]:
    chunks = _chunks(pairs)
    if processes == 1:
        for chunk in chunks:
            yield from _judge_chunk(chunk)
        return
    with ProcessPoolExecutor(
        processes, mp_context=workers.context(), initializer=begin_worker, initargs=(registered(),)
    ) as executor:
        due: deque[Future[list[Judged]]] = deque()
        try:
            for chunk in chunks:
                with workers.ignore_interrupts():
                    due.append(executor.submit(_judge_chunk, chunk))
                if len(due) >= processes * _AHEAD:
                    yield from due.popleft().result()
            while due:
                yield from due.popleft().result()
        except BrokenProcessPool:
            raise EnvhubError(f"A process that judged was {ENDED}.") from None
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def _chunks(pairs: Iterator[_Pair]) -> Iterator[list[_Pair]]:
    """Chunks of pairs, smaller if the responses are long."""
    chunk: list[_Pair] = []
    characters = 0
    for pair in pairs:
        chunk.append(pair)
        characters += sum(map(_length, pair.responses))
        if len(chunk) == _CHUNK or characters >= _CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _length(response: Response) -> int:
    return len(response or ()) if isinstance(response, str | None) else sum(map(len, response))


def _judge_chunk(pairs: list[_Pair]) -> list[Judged]:
    return [
        Judged(pair.row, sample, pair.env_id, pair.difficulty, _verdict(pair, response))
        for pair in pairs
        for sample, response in enumerate(pair.responses)
    ]


def _verdict(pair: _Pair, response: Response) -> Verdict:
    """The verdict on one response; if it cannot be judged, an ``error``."""
    if response is None:
        return Verdict.failed("no_response", "There is no response: it was never made.")
    try:
        return truth.judge(pair.truth, pair.answer_format, pair.fingerprint)(response)
    except EnvhubError as error:
        return Verdict.failed("unjudgeable", str(error))
    except Exception as error:  # error of an environment that fails to sample: other rows are unaffected
        return Verdict.failed("environment_failed", f"{pair.env_id} raised {type(error).__name__}.")

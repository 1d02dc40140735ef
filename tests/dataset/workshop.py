"""What the tests of datasets share: toys small enough to be counted, configurations, and answers to rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

from envhub.authoring import Environment
from envhub.core.seeding import Stream, fingerprint, split_of
from envhub.core.types import Instance, Verdict
from envhub.dataset import DatasetConfig, judge_file, truth
from envhub.dataset.files import rows
from envhub.dataset.formats import read_row
from envhub.dataset.generation import OnRow
from envhub.dataset.grading import Judged, Report
from envhub.episodes.episode import Episode
from envhub.registry.registry import register, unregister
from tests.support.toys import Sum

FEW = 30


class Few(Sum):
    """Thirty problems, whatever the level."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        x = rng.below(FEW)
        return Instance(problem={"xs": [x, 1000]}, key=x + 1000)


class One(Few):
    """One problem for all splits."""

    split_by: ClassVar[Literal["content", "seed", "none"]] = "none"


class Unjudged(Few):
    """Its verdict is always an error."""

    def grade(self, inst: Instance, value: Any) -> Verdict:
        return Verdict.failed("judge_lost", "The judge is away.")

    def accepts(self, inst: Instance) -> bool:
        return True


class Sampled(Few):
    """Counts how often a problem is drawn; fails to draw when told so."""

    drawn: ClassVar[list[int]] = []
    fails: ClassVar[bool] = False

    def sample(self, rng: Stream, p: Any) -> Instance:
        if self.fails:
            raise ZeroDivisionError
        self.drawn.append(1)
        return super().sample(rng, p)


class Unsolved(Few):
    """Its oracle is wrong."""

    def solve(self, inst: Instance) -> str:
        return "-1"


def problems_of(split: str, name: str = "few") -> int:
    """How many problems :class:`Few` has in a split, counted one by one."""
    prints = [fingerprint(name, sorted([x, 1000])) for x in range(FEW)]
    return [split_of(mark) for mark in prints].count(split)


@contextmanager
def known(id: str, cls: type[Environment]) -> Iterator[str]:
    """A toy in the registry."""
    register(id, cls)
    try:
        yield id
    finally:
        unregister(id)


def config(*environments: str, rows: int = 12, **fields: Any) -> DatasetConfig:
    """A configuration of a few rows of the train split."""
    return DatasetConfig(environments or ("arithmetic-v0",), **{"splits": {"train": rows}, **fields})


def read(path: Path) -> list[Any]:
    """The rows of a file."""
    return list(rows(path))


def facts(path: Path) -> list[Any]:
    """What each row of a file says about its task."""
    found = [read_row(row) for row in rows(path)]
    assert None not in found
    return [row.facts for row in found if row is not None]


def marks(path: Path) -> list[str]:
    """The fingerprints of a file's rows."""
    return [row["fingerprint"] for row in facts(path)]


def write_lines(path: Path, values: Iterable[Any]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def stop_at(row: int, of: str = "train") -> OnRow:
    """Ctrl-C at a row."""

    def on_row(split: str, number: int, total: int) -> None:
        if (split, number) == (of, row):
            raise KeyboardInterrupt

    return on_row


def failing(times: int = 1, error: type[BaseException] = KeyboardInterrupt) -> Callable[..., Any]:
    """Something that fails."""

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def judged(tasks: Path, responses: Path, **settings: Any) -> tuple[Report, list[Judged]]:
    """The report on a file of responses, and every verdict."""
    verdicts: list[Judged] = []
    report = judge_file(tasks, responses, **{"processes": 1, **settings}, on_verdict=verdicts.append)
    return report, verdicts


def right(tasks: Path) -> list[str]:
    """A right answer to every row of one turn."""
    found = []
    for row in read(tasks):
        known_row = read_row(row)
        assert known_row is not None
        judge = truth.judge(known_row.truth)
        found.append(Episode(judge._environment, *judge._drawn).oracle())
    return found

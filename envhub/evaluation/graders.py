"""Measures graders on labelled pairs: recall, false positives, time.

A file of pairs has a line for each: ``{"kind", "options", "gold", "answer", "right", "class"}`` (``tests/corpus/README.md``).
All graders see the same pairs in one run::

    scores = [measure("envhub", ours, pairs), measure("math-verify", theirs, pairs)]
    scores[0].recall, scores[0].false_positives
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.core.statistics import percentile, wilson
from envhub.evaluation.math_texts import final_of_text
from envhub.verifiers.answers.final_answer import compare_answer
from envhub.verifiers.math import compare, math_verify
from envhub.verifiers.math.pairs import Pair
from envhub.workers.pool import Pool

Grader = Callable[[Pair], bool | None]
"""Whether a grader accepts an answer; None if it failed."""


@dataclass
class Score:
    """Result of one grader.

    Attributes:
        name: Name of the grader.
        right: Number of pairs with a right answer.
        taken: Number of those that were accepted.
        wrong: Number of pairs with a wrong answer.
        fooled: Number of those that were accepted.
        failed: Pairs on which the grader failed; they count as rejected.
        milliseconds: Wall time per pair.
        missed: Rejected right answers, by group.
        taken_in: Wrong pairs that were accepted.
    """

    name: str
    right: int = 0
    taken: int = 0
    wrong: int = 0
    fooled: int = 0
    failed: int = 0
    milliseconds: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    taken_in: list[Pair] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of right answers that are accepted."""
        return self.taken / self.right if self.right else 0.0

    @property
    def false_positives(self) -> float:
        """Share of wrong answers that are accepted."""
        return self.fooled / self.wrong if self.wrong else 0.0

    def to_json(self) -> dict[str, Any]:
        """The score as JSON values, shares with their 95 % Wilson bounds."""
        return {
            "name": self.name,
            "pairs": self.right + self.wrong,
            "recall": self.recall,
            "recall_bounds": list(wilson(self.taken, self.right)),
            "false_positives": self.false_positives,
            "false_positive_bounds": list(wilson(self.fooled, self.wrong)),
            "failed": self.failed,
            "ms_p50": percentile(self.milliseconds, 50),
            "ms_p99": percentile(self.milliseconds, 99),
            "missed": dict(self.missed.most_common()),
            "taken_in": [{"kind": p.kind, "gold": p.gold, "answer": p.answer, "class": p.group} for p in self.taken_in],
        }


def read_pairs(paths: Iterable[Path]) -> list[Pair]:
    """Read the pairs of some files.

    Raises:
        InvalidParameters: A file cannot be read, or a line is not a pair.
    """
    pairs: list[Pair] = []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise InvalidParameters(f"{path} cannot be read: {error.strerror}.") from None
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                pairs.append(
                    Pair(row["kind"], row["options"], row["gold"], row["answer"], bool(row["right"]), row["class"])
                )
            except (ValueError, KeyError, TypeError) as error:
                raise InvalidParameters(f"{path}, line {number}, is no pair: {error}.") from None
    if not pairs:
        raise InvalidParameters("There are no pairs to measure with.")
    return pairs


def measure(name: str, grader: Grader, pairs: Sequence[Pair]) -> Score:
    """The score of a grader on pairs."""
    score = Score(name)
    for pair in pairs:
        begun = time.perf_counter()
        said = grader(pair)
        score.milliseconds.append(1000 * (time.perf_counter() - begun))
        score.failed += said is None
        if pair.right:
            score.right += 1
            score.taken += bool(said)
            if not said:
                score.missed[pair.group] += 1
        else:
            score.wrong += 1
            score.fooled += bool(said)
            if said:
                score.taken_in.append(pair)
    return score


def ours(pair: Pair) -> bool | None:
    """The grader of envhub, in this process."""
    return compare(pair.gold, pair.answer, pair.kind, **pair.options).same


def ours_on_texts(pair: Pair) -> bool | None:
    """The grader of envhub on a whole response.

    None if it cannot read the gold.
    """
    try:
        return compare_answer(pair.gold, final_of_text(pair.answer), pair.kind, pair.options).same
    except InvalidParameters:
        return None


def theirs(pool: Pool) -> Grader:
    """math-verify, in the pool."""

    def grade(pair: Pair) -> bool | None:
        ran = pool.call(f"{math_verify.__name__}:same", pair.gold, pair.answer)
        return bool(ran.value) if ran.ok else None

    return grade

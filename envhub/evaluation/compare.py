"""Compares two evaluations of the same tasks: difference and significance.

Each task is a pair: the difference of the shares of attempts that solved it. The interval is a bootstrap over tasks,
the p-value comes from a paired permutation test (:func:`envhub.core.statistics.sign_flip`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean

from envhub.core.errors import InvalidParameters
from envhub.core.statistics import interval, sign_flip
from envhub.core.types import JSON
from envhub.evaluation.records import Read
from envhub.evaluation.summary import by_task


@dataclass(frozen=True)
class Difference:
    """Difference between two shares of solved tasks.

    Attributes:
        tasks: Number of tasks judged for both.
        first: Share solved by the first.
        second: Share solved by the second.
        low: Lower bound of the 95 % interval of ``second - first``.
        high: Upper bound of the interval.
        p: Probability of so large a difference by chance.
    """

    tasks: int
    first: float
    second: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Comparison:
    """Comparison of two players on the same tasks.

    Attributes:
        players: Their names.
        overall: All tasks together.
        environments: By environment; p-values are not corrected for multiple comparisons.
        left_out: Tasks judged for only one of them, or neither.
    """

    players: tuple[str, str]
    overall: Difference
    environments: dict[str, Difference]
    left_out: int

    def to_json(self) -> dict[str, JSON]:
        """All fields as JSON values."""
        return asdict(self)


def compare(first: Read, second: Read) -> Comparison:
    """Compare two evaluations task by task.

    Raises:
        InvalidParameters: The evaluations differ in tasks, or have no judged task in common.
    """
    if first.config.same_tasks != second.config.same_tasks:
        raise InvalidParameters(
            "The two evaluations are of different tasks. Environments, difficulties, number of tasks, split, seed, formats "
            "and system message must be equal; only the number of attempts and the wording may differ."
        )
    ones, others = by_task(first.records), by_task(second.records)
    both = [task for task in ones if task in others]
    if not both:
        raise InvalidParameters("The two evaluations have no judged task in common.")
    shares = {task: (fmean(r.solved for r in ones[task]), fmean(r.solved for r in others[task])) for task in both}
    per_env: dict[str, list[tuple[float, float]]] = {}
    for (env_id, _, _), pair in shares.items():
        per_env.setdefault(env_id, []).append(pair)
    asked = len(first.config) // first.config.attempts
    return Comparison(
        (first.player, second.player),
        _difference(list(shares.values())),
        {env_id: _difference(pairs) for env_id, pairs in per_env.items()},
        asked - len(both),
    )


def _difference(pairs: list[tuple[float, float]]) -> Difference:
    apart = [second - first for first, second in pairs]
    low, high = _bounds(apart)
    return Difference(
        len(pairs),
        fmean(first for first, _ in pairs),
        fmean(second for _, second in pairs),
        low,
        high,
        sign_flip(apart),
    )


def _bounds(apart: list[float]) -> tuple[float, float]:
    """Interval of a mean difference; swapping the players mirrors it."""
    if not any(apart):
        return 0.0, 0.0
    if sum(apart) > 0:
        return interval(apart)
    low, high = interval([-each for each in apart])
    return -high, -low

"""Summary of an evaluation: solve rates with intervals by environment and difficulty."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean

from envhub.core.statistics import interval, pass_at_k
from envhub.core.types import BROKEN_SHARE, CHECKER_FAILED, JSON, Rates
from envhub.evaluation.config import EvaluationConfig
from envhub.evaluation.records import Read, Record
from envhub.registry.describe import reference_of

Place = tuple[str, int]


@dataclass(frozen=True)
class Estimate:
    """A mean over tasks with its 95 % interval.

    Attributes:
        mean: Mean over the tasks.
        low: Lower bound of the interval.
        high: Upper bound of the interval.
        tasks: Number of tasks.
    """

    mean: float
    low: float
    high: float
    tasks: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate | None:
        """The estimate from one value per task; None without tasks."""
        return cls(fmean(values), *interval(values), len(values)) if values else None


@dataclass(frozen=True)
class Cell:
    """Results of some attempts.

    Attributes:
        attempts: Number of attempts.
        judged: Number of judged attempts.
        no_answer: Number of judged attempts with nothing to grade.
        errors: Attempts that could not be judged, by code.
        endpoint: Number of failed requests.
        solved: Share solved, which is pass@1.
        score: The mean score.
        passes: pass@k by k, over the tasks that have k judged attempts.
        turns: The mean number of turns.
        cut: Number of messages cut off by the model's limit.
        tokens: Number of tokens written, if reported by the endpoint.
        checker_failed: Number of answers on which a user's checker failed, which scores 0.
    """

    attempts: int
    judged: int
    no_answer: int
    errors: dict[str, int]
    endpoint: int
    solved: Estimate | None
    score: Estimate | None
    passes: dict[int, Estimate] = field(default_factory=dict)
    turns: float = 0.0
    cut: int = 0
    tokens: int = 0
    checker_failed: int = 0

    @property
    def broken(self) -> bool:
        """Whether the checker fails on more than 1 % of answers."""
        return self.checker_failed > BROKEN_SHARE * self.judged

    def to_json(self) -> dict[str, JSON]:
        """All fields by name, as JSON values."""
        return {**asdict(self), "passes": {str(k): asdict(estimate) for k, estimate in self.passes.items()}}


@dataclass(frozen=True)
class Summary:
    """Results of an evaluation.

    Attributes:
        config: Configuration of the evaluation.
        player: Name of the player.
        missing: Attempts of the configuration that have not been judged.
        overall: All attempts, every task with the same weight.
        environments: By environment.
        levels: By environment and difficulty.
        references: By environment that publishes them, the solve rates of the best named policy without hidden knowledge.
    """

    config: EvaluationConfig
    player: str
    missing: int
    overall: Cell
    environments: dict[str, Cell]
    levels: dict[Place, Cell]
    references: dict[str, Rates] = field(default_factory=dict)

    def reference(self, env_id: str, level: int) -> float | None:
        """Published solve rate of the reference policy at a level.

        None if a right answer can always be found.
        """
        rates = self.references.get(env_id)
        return rates.solved[level - 1] if rates is not None else None

    def to_json(self) -> dict[str, JSON]:
        """All fields as JSON values."""
        return {
            "config": self.config.to_json(),
            "digest": self.config.digest,
            "player": self.player,
            "missing": self.missing,
            "overall": self.overall.to_json(),
            "environments": {env_id: cell.to_json() for env_id, cell in self.environments.items()},
            "levels": [
                {
                    "env_id": env_id,
                    "difficulty": level,
                    "reference": self.reference(env_id, level),
                    **cell.to_json(),
                }
                for (env_id, level), cell in self.levels.items()
            ],
            "references": {env_id: rates.to_json() for env_id, rates in self.references.items()},
        }


def summarise(found: Read) -> Summary:
    """Summarise a folder's attempts."""
    records, config = found.records, found.config
    by_env, by_level = defaultdict(list), defaultdict(list)
    for record in records:
        by_env[record.job.env_id].append(record)
        by_level[record.job.env_id, record.job.level].append(record)
    return Summary(
        config,
        found.player,
        len(config) - sum(record.judged for record in records),
        _cell(records, config.attempts),
        {env_id: _cell(some, config.attempts) for env_id, some in by_env.items()},
        {place: _cell(some, config.attempts) for place, some in by_level.items()},
        {env_id: rates for env_id in by_env if (rates := reference_of(env_id)) is not None},
    )


def by_task(records: Iterable[Record]) -> dict[tuple[str, int, int], list[Record]]:
    """The judged attempts at each task."""
    tasks: dict[tuple[str, int, int], list[Record]] = defaultdict(list)
    for record in records:
        if record.judged:
            tasks[record.job.env_id, record.job.level, record.job.number].append(record)
    return dict(tasks)


def _cell(records: Sequence[Record], attempts: int) -> Cell:
    judged = [record for record in records if record.judged]
    tasks = by_task(records).values()
    passes = {}
    for k in _ks(attempts):
        values = [pass_at_k(len(task), sum(r.solved for r in task), k) for task in tasks if len(task) >= k]
        estimate = Estimate.of(values)
        if estimate is not None:
            passes[k] = estimate
    errors = Counter(record.why.partition(":")[0] for record in records if record.outcome == "error")
    return Cell(
        attempts=len(records),
        judged=len(judged),
        no_answer=sum(record.outcome == "no_answer" for record in judged),
        errors=dict(errors),
        endpoint=sum(record.outcome == "endpoint" for record in records),
        solved=Estimate.of([fmean(record.solved for record in task) for task in tasks]),
        score=Estimate.of([fmean(record.score or 0.0 for record in task) for task in tasks]),
        passes=passes,
        turns=fmean(record.turns for record in judged) if judged else 0.0,
        cut=sum(record.cut for record in records),
        tokens=sum(record.tokens for record in records),
        checker_failed=sum(record.outcome == "no_answer" and record.why == CHECKER_FAILED for record in judged),
    )


def _ks(attempts: int) -> list[int]:
    """1, 2, 4 ... and the number of attempts."""
    return sorted({1 << power for power in range(attempts.bit_length()) if 1 << power <= attempts} | {attempts})

"""Measures that the audit reports for every level.

Number of distinct problems, speed of drawing and judging, the solve rate of blind policies, and the solve rates of
agents with more or less knowledge.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, Final

from envhub.audit.blind import best_blind, guess_bound
from envhub.audit.contract import effort
from envhub.audit.forms import count_forms
from envhub.audit.rates import Hits, agents, played
from envhub.audit.spread import count_distinct
from envhub.audit.subject import Subject
from envhub.audit.wordings import fixed_share
from envhub.core.statistics import percentile
from envhub.making import Judge

_SLOW_PER_S: Final = 100


@dataclass(frozen=True)
class Level:
    """Measures of one difficulty.

    Attributes:
        difficulty: 1..10.
        distinct: Distinct problems among ``drawn`` seeds.
        drawn: Number of seeds drawn.
        blind: Share of problems solved by the best blind policy.
        blind_policy: That policy.
        guessable: Maximum share that it may solve.
        effort: Median effort of a reference solver.
        generate_per_s: Problems drawn per CPU second, prompt and fingerprint included.
        verify_ms_p50: Median CPU time to judge a right response, in milliseconds, without rebuilding its task.
        verify_ms_p99: 99th percentile of the same.
        agents: Share of solved episodes by reference agent.
        fixed: Share of the prompts' 8-word shingles that are the same in more than 80 % of them.
        forms: Draws per kind of question; empty for a puzzle with one law.
    """

    difficulty: int
    distinct: int
    drawn: int
    blind: float
    blind_policy: str
    guessable: float
    effort: float
    generate_per_s: float
    verify_ms_p50: float
    verify_ms_p99: float
    agents: dict[str, float]
    fixed: float = 0.0
    forms: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The measures by name."""
        return asdict(self)


def measure(subject: Subject, level: int) -> Level:
    """Measure one level."""
    env = subject.env(level)
    started = time.process_time()
    prompts = [str(env.reset(seed=2_000_000 + seed)[0]) for seed in range(subject.depth.timed)]
    rate = subject.depth.timed / max(time.process_time() - started, 1e-9)
    distinct, drawn = count_distinct(subject, level, None if rate >= _SLOW_PER_S else subject.depth.timed)
    bound, _ = guess_bound(subject.environment, level)
    best = best_blind(subject, level)
    spent = _verify_ms(subject, level)
    return Level(
        difficulty=level,
        distinct=distinct,
        drawn=drawn,
        blind=best.share,
        blind_policy=best.policy[:80],
        guessable=bound,
        effort=median(effort(subject, level, seed) for seed in range(subject.depth.efforts)),
        generate_per_s=rate,
        verify_ms_p50=percentile(spent, 50),
        verify_ms_p99=percentile(spent, 99),
        agents={name: _share(played(subject, level, name)) for name in agents(env.environment)},
        fixed=fixed_share(prompts),
        forms=dict(count_forms(subject, level).most_common()),
    )


def _verify_ms(subject: Subject, level: int) -> list[float]:
    """CPU times of judging each of the oracle's responses once."""
    spent = []
    env = subject.env(level)
    for seed in range(subject.depth.timed):
        env.reset(seed=3_000_000 + seed)
        task, actions = env.task, []
        done = False
        while not done:
            actions.append(env.solve())
            _, _, terminated, truncated, _ = env.step(actions[-1])
            done = terminated or truncated
        judge = Judge(task.key)
        started = time.process_time()
        judge(actions)
        spent.append(1000 * (time.process_time() - started))
    return spent


def _share(hits: Hits) -> float:
    solved, tried = hits
    return solved / tried

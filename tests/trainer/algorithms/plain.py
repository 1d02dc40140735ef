"""Numbers without tensors, for the reference: complex steps, ragged lists, means over what was sampled.

A number is a Python complex with a tiny imaginary part: a function that is written with ``+ * exp`` alone has its derivative
there (the complex step: Squire and Trapp 1998; exact to rounding, with no step size to choose). Comparisons look at the real
part, and *taking the real part is the stop-gradient*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, sqrt

from tests.trainer.algorithms.cases import Case

Number = complex
Tokens = list[list[Number]]  # one entry a prediction, 0 where the mask is 0
Real = list[list[float]]
EPSILON = 1e-6
STEP = 1e-30


@dataclass(frozen=True)
class Settings:
    """What can be set; each algorithm has its paper's values."""

    clip_low: float = 0.2
    clip_high: float = 0.2
    dual_clip: float = 0.0
    kl: float = 0.0
    kl_kind: str = "k3"
    entropy: float = 0.0
    aggregate: str = "sequence_mean"
    std: str = "group"
    tis: float = 0.0
    gamma: float = 1.0
    lam: float = 1.0
    beta: float = 0.0
    keep_shortest: int = 0
    value_coefficient: float = 1.0
    value_clip: float = 0.2
    cov_coefficient: float = 1.0
    critic_lam: float | None = None
    alpha: float | None = None
    positives: float = 0.0
    success: float = 1.0
    tis_level: str = "token"
    mask: str = ""
    mask_low: float = 0.5
    mask_high: float = 5.0
    top_entropy: float = 0.0


def least(a: Number, b: Number) -> Number:
    return a if a.real <= b.real else b


def clip(x: Number, low: float, high: float) -> Number:
    return low if x.real < low else high if x.real > high else x


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def deviation(values: list[float]) -> float:
    """Unbiased."""
    centre = mean(values)
    return sqrt(sum((x - centre) ** 2 for x in values) / (len(values) - 1))


def over_tokens(case: Case, of: Callable[[int, int], Number]) -> Tokens:
    """A figure for each sampled token, of its row's number and its position."""
    return [[of(b, t) if m else 0.0 for t, m in enumerate(row.mask)] for b, row in enumerate(case.rows)]


def whitened(case: Case, values: Real) -> Real:
    flat = [values[b][t] for b, row in enumerate(case.rows) for t in row.sampled]
    centre, spread = mean(flat), deviation(flat)
    return over_tokens(case, lambda b, t: (values[b][t] - centre) / sqrt(spread**2 + 1e-8))  # type: ignore[return-value]


def of_episodes(case: Case, values: list[float]) -> Real:
    return over_tokens(case, lambda b, _: values[case.rows[b].episode])  # type: ignore[return-value]


def aggregated(case: Case, terms: Tokens, how: str) -> Number:
    """DAPO, eq. 8 (token_mean); GRPO, eq. 3 (sequence_mean); RLOO, ReMax (sequence_sum); Dr. GRPO, section 3.2 (constant)."""
    sums = [sum(row) for row in terms]
    lengths = [len(row.sampled) for row in case.rows]
    rows = sum(1 for n in lengths if n)
    if how == "token_mean":
        return sum(sums) / sum(lengths)
    if how == "critical_mean":  # SPO: over the tokens less likely than 0.9
        critical = [[t for t in row.sampled if exp(row.behaviour[t]) < 0.9] for row in case.rows]
        return sum(terms[b][t] for b, kept in enumerate(critical) for t in kept) / sum(map(len, critical))
    if how == "sequence_mean":
        return sum(x / n for x, n in zip(sums, lengths, strict=True) if n) / rows
    if how == "sequence_sum":
        return sum(sums) / len(case.rows)
    return sum(sums) / (len(case.rows) * case.max_tokens)


def gradient(function: Callable[[Tokens], Number], at: Real) -> Real:
    """The derivative with respect to every entry, by the complex step."""
    point: Tokens = [list(row) for row in at]
    slopes: Real = []
    for row in point:
        slopes.append([])
        for t, x in enumerate(row):
            row[t] = complex(x.real, STEP)
            slopes[-1].append(complex(function(point)).imag / STEP)
            row[t] = x
    return slopes

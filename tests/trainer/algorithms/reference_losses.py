"""Losses from the papers, in loops: of a token, of a sequence, and of the critic; all are to be made small."""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable
from math import ceil, prod

from tests.trainer.algorithms.cases import Case, Row
from tests.trainer.algorithms.plain import Number, Real, Settings, Tokens, aggregated, clip, least, over_tokens

Loss = Callable[[Case, Settings, Tokens, Real], Number]


def ratio(row: Row, logp: list[Number], t: int) -> Number:
    return exp(logp[t] - row.old[t])


def clipped(r: Number, a: float, s: Settings) -> Number:
    """PPO, eq. 7, with DAPO's two bounds (eq. 10), and with dual_clip Ye 2020, eq. 5."""
    value = least(r * a, clip(r, 1 - s.clip_low, 1 + s.clip_high) * a)
    if s.dual_clip and a < 0 and value.real < s.dual_clip * a:
        return -s.dual_clip * a
    return -value


def ppo_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    return clipped(ratio(row, logp, t), a, s)


def reinforce_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    """RLOO and ReMax give the gradient, -A d log pi; the value is that of -A pi / sg(pi)."""
    return -a * exp(logp[t] - logp[t].real)


def cispo_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    """MiniMax-M1, eq. 4 and 5: sg(clip(r)) A log pi."""
    return -clip(ratio(row, logp, t), 1 - s.clip_low, 1 + s.clip_high).real * a * logp[t]


def gspo_token_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    """GSPO, eq. 14: s_it = sg(s_i) pi_it / sg(pi_it)."""
    return clipped(sequence_ratio(row, logp).real * exp(logp[t] - logp[t].real), a, s)


def clip_cov_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    """Cui 2025, eq. 12: the chosen tokens give nothing; the others, as in the authors' code, PPO's objective."""
    return 0.0 if row.chosen[t] else ppo_token(row, logp, t, a, s)


def kl_cov_token(row: Row, logp: list[Number], t: int, a: float, s: Settings) -> Number:
    """Cui 2025, eq. 14, the KL of a chosen token as in the authors' code: |log pi - log pi_old|."""
    apart = logp[t] - row.old[t]
    extra = s.cov_coefficient * (apart if apart.real >= 0 else -apart) if row.chosen[t] else 0.0
    return -ratio(row, logp, t) * a + extra


def average(row: Row, values: list[Number]) -> Number:
    return sum(values[t] for t in row.sampled) / len(row.sampled)


def sequence_ratio(row: Row, logp: list[Number]) -> Number:
    """GSPO, eq. 7."""
    return exp(average(row, logp) - average(row, list(row.old)))


def gspo_sequence(case: Case, row: Row, logp: list[Number], a: float, s: Settings) -> Number:
    """GSPO, eq. 5."""
    return clipped(sequence_ratio(row, logp), a, s)


def gmpo_sequence(case: Case, row: Row, logp: list[Number], a: float, s: Settings) -> Number:
    """GMPO's objective in log space: each token's log-ratio clipped on the side that its advantage's sign says."""
    logs: list[Number] = [0.0] * len(row.mask)
    for t in row.sampled:
        x = logp[t] - row.old[t]
        bounded = clip(x, -s.clip_low, s.clip_high)
        logs[t] = least(x, bounded) if a >= 0 else -least(-x, -bounded)
    return -exp(average(row, logs)) * a


def gepo_sequence(case: Case, row: Row, logp: list[Number], a: float, s: Settings) -> Number:
    """GEPO's weight: p over the group's expectation of q under q, each the geometric mean of its tokens' probabilities.

    p is of the row; the q are of the group's episodes, each over all that was sampled in it.
    """
    q = [
        exp(sum(r.old[t] for r in case.rows_of(e) for t in r.sampled) / case.length(e)).real
        for e, group in enumerate(case.group)
        if group == case.group[row.episode] and case.included[e] and case.length(e)
    ]
    expectation = sum(x * x for x in q) / sum(q)
    return clipped(exp(average(row, logp)) / expectation, a, s)


def extras(row: Row, logp: list[Number], t: int, s: Settings) -> Number:
    """KL to the reference (Schulman 2020) and the entropy bonus."""
    d = row.ref[t] - logp[t]
    kl = {"k2": d * d / 2, "k3": exp(d) - d - 1}[s.kl_kind] if s.kl else 0.0
    return s.kl * kl - s.entropy * row.entropy[t]


def correction(row: Row, t: int, s: Settings) -> float:
    """FlashRL's truncated ratio, IcePop's mask, and both for the product over a row."""
    ratios = [exp(row.old[u] - row.behaviour[u]).real for u in row.sampled]
    k = exp(row.old[t] - row.behaviour[t]).real
    if "sequence" in (s.mask, s.tis_level):
        k = prod(ratios)
    if s.mask:
        return k if s.mask_low <= k <= s.mask_high else 0.0
    return min(k, s.tis) if s.tis else 1.0


def least_entropy(case: Case, share: float) -> float:
    """Wang 2025: tau, the entropy that a share of the batch's tokens reach."""
    found = sorted((row.entropy[t] for row in case.rows for t in row.sampled), reverse=True)
    return found[ceil(share * len(found)) - 1] if share else 0.0


def imitation(case: Case, s: Settings, logp: Tokens) -> Number:
    """VAPO's positive-example loss: the mean of -log pi over the tokens of right answers."""
    right = [(b, t) for b, row in enumerate(case.rows) if case.score[row.episode] >= s.success for t in row.sampled]
    return -s.positives * sum(logp[b][t] for b, t in right) / len(right) if right else 0.0


def by_token(objective: Callable[[Row, list[Number], int, float, Settings], Number]) -> Loss:
    def loss(case: Case, s: Settings, logp: Tokens, advantage: Real) -> Number:
        def term(b: int, t: int) -> Number:
            row = case.rows[b]
            used = correction(row, t, s) * (row.entropy[t] >= tau)
            return objective(row, logp[b], t, advantage[b][t], s) * used + extras(row, logp[b], t, s)

        tau = least_entropy(case, s.top_entropy)
        return aggregated(case, over_tokens(case, term), s.aggregate) + imitation(case, s, logp)

    return loss


def by_sequence(objective: Callable[[Case, Row, list[Number], float, Settings], Number]) -> Loss:
    def loss(case: Case, s: Settings, logp: Tokens, advantage: Real) -> Number:
        values = [
            objective(case, row, logp[b], advantage[b][row.sampled[0]], s)
            for b, row in enumerate(case.rows)
            if row.sampled
        ]
        rest = over_tokens(case, lambda b, t: extras(case.rows[b], logp[b], t, s))
        return sum(values) / len(values) + aggregated(case, rest, "sequence_mean")

    return loss


def value_loss(case: Case, s: Settings, value: Tokens, returns: Real) -> Number:
    """PPO's value loss as in OpenAI's baselines: half the larger of the squared errors, unclipped and clipped."""

    def term(b: int, t: int) -> Number:
        before = case.rows[b].value[t]
        free = (value[b][t] - returns[b][t]) ** 2
        bounded = (clip(value[b][t], before - s.value_clip, before + s.value_clip) - returns[b][t]) ** 2
        return s.value_coefficient * (free if free.real >= bounded.real else bounded) / 2

    return aggregated(case, over_tokens(case, term), s.aggregate)


def overlong(length: int, longest: int, buffer: int) -> float:
    """DAPO, eq. 13."""
    if length <= longest - buffer:
        return 0.0
    if length <= longest:
        return ((longest - buffer) - length) / buffer
    return -1.0

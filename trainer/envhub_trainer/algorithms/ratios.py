"""Importance ratios between the current policy and the start of the update.

Each is a function ``(logp (B, T) with gradient, batch) -> (B, T)`` with gradient: per token, per row, per row relative to its
group, or constant. A *sequence* is a row; its ratio is repeated on each of its tokens, so that
:func:`envhub_trainer.algorithms.weights.sequence_mean` gives the mean over sequences. Log-ratios are clamped to +-20.
"""

from __future__ import annotations

import torch
from torch import Tensor

from envhub_trainer.algorithms.masked import LIMIT, Timeline, log_ratio, old, on_mask, row_mean
from envhub_trainer.batch import Batch


def token(logp: Tensor, batch: Batch) -> Tensor:
    """r_t = pi(o_t) / pi_old(o_t).

    Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms" (1707.06347), section 3.

    Worked example: log-probability -1.0 now and -1.5 then: e^0.5 = 1.6487.
    """
    return log_ratio(logp, batch).exp()


def sequence(logp: Tensor, batch: Batch) -> Tensor:
    """Geometric mean of a row's token ratios, s = (pi(o) / pi_old(o))^(1/|o|).

    Its gradient reaches all tokens of the row.

    Source: Zheng et al. 2025, "Group Sequence Policy Optimization" (2507.18071), equation 7.

    Worked example: log-ratios 0.4 and -0.2 in a row: e^0.1 = 1.1052 on both tokens.
    """
    return row_mean(log_ratio(logp, batch), batch.mask).exp().expand_as(logp)


def sequence_token(logp: Tensor, batch: Batch) -> Tensor:
    """GSPO-token: :func:`sequence` with each token's own gradient: sg(s) pi / sg(pi).

    If all tokens of a row have the same advantage, its summed gradient equals that of :func:`sequence`; otherwise they differ.

    Source: Zheng et al. 2025 (2507.18071), equations 13 and 14.

    Worked example: log-ratios 0.4 and -0.2: value 1.1052 on both; the derivative to each token's own log-probability is 1.1052
    (under :func:`sequence` the two share it by halves).
    """
    clean = on_mask(logp, batch)
    mean = row_mean(log_ratio(logp, batch), batch.mask).detach()
    return (clean - clean.detach() + mean).exp()


def on_policy(logp: Tensor, batch: Batch) -> Tensor:
    """No correction: value 1 with the gradient of log pi.

    For algorithms that take one step per batch.

    Source: Williams 1992, REINFORCE; as Ahmadian et al. 2024 (2402.14740) and Li et al. 2023 (2310.10505) use it.

    Worked example: any log-probability gives 1.0 and derivative 1.0.
    """
    clean = on_mask(logp, batch)
    return (clean - clean.detach()).exp()


def group_expectation(logp: Tensor, batch: Batch) -> Tensor:
    """GEPO: w = p / E_q[q].

    E_q[q] = sum_j q_j^2 / sum_j q_j over the group. p and q are exp(mean log-probability) of a sequence now and at the
    start of the update.

    The denominator is one number per group, so that a single unlikely sequence cannot make its weight explode. It is over all
    included episodes of the group and therefore read from ``batch.expected`` if set
    (:class:`envhub_trainer.algorithms.advantages.GroupExpecting` sets it): a micro-batch may hold only part of the group.

    Source: Zhang et al. 2025, "Group Expectation Policy Optimization" (2508.17850), definition of GEIW; the length-normalised
    p and q are those of the authors' implementation.

    Worked example: a group with q = 0.5 and 0.25: E = (0.25 + 0.0625) / 0.75 = 0.41667; p = 0.5 gives 1.2, p = 0.25 gives 0.6.
    """
    expected = log_expectation(batch) if batch.expected is None else batch.expected
    p = row_mean(on_mask(logp, batch), batch.mask)
    log_w = p - expected[batch.episode].unsqueeze(1).to(p.dtype)
    return log_w.clamp(-LIMIT, LIMIT).exp().expand_as(logp)


def log_expectation(batch: Batch) -> Tensor:
    """``(E,)`` log E_q[q] per group, q = exp(mean log-probability) of an episode."""
    timeline = Timeline.of(batch)
    log_q = timeline.join(old(batch)).sum(1) / timeline.length.clamp(min=1)
    counts = batch.included & (timeline.length > 0)
    expected = torch.zeros_like(log_q)
    for number in torch.unique(batch.group):
        members = batch.group == number
        q = log_q[members & counts]
        if len(q):
            expected[members] = (2 * q).logsumexp(0) - q.logsumexp(0)
    return expected

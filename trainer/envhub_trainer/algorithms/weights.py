"""Aggregations: token weights that make a step's loss a sum.

A plain sum over an optimiser step. Each is a function ``(batch of one optimiser step) -> (B, T)``, 0 off the mask.
Weights are computed once, on the whole step, so that splitting it into micro-batches does not change the sum of the losses.

Worked examples: two rows of 1 and 3 sampled tokens, each of an episode with a budget of 10.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from envhub_trainer.algorithms.checks import required, within
from envhub_trainer.batch import Batch


def token_mean(batch: Batch) -> Tensor:
    """Every sampled token of the step has equal weight.

    mask / number of sampled tokens. Source: Yu et al. 2025, DAPO (2503.14476), equation 8 and section 3.3.

    Worked example: 1/4 on each of the four tokens.
    """
    return batch.mask / batch.mask.sum().clamp(min=1)


def sequence_mean(batch: Batch) -> Tensor:
    """Every row has equal weight.

    mask / (its sampled tokens * rows that have any). Source: Shao et al. 2024, GRPO (2402.03300), equation 3.

    Worked example: 1/2 on the token of the first row, 1/6 on each of the second.
    """
    count = batch.mask.sum(1, keepdim=True)
    return batch.mask / (count.clamp(min=1) * (count > 0).sum().clamp(min=1))


def constant(batch: Batch) -> Tensor:
    """A token's weight does not depend on the length of its episode.

    mask / (rows * budget of the episode). Source: Liu et al. 2025, Dr. GRPO (2503.20783), section 3.2 and the listing in
    the appendix, where the budget is the maximum length of an answer.

    Worked example: 1/20 on each token.

    Raises:
        ValueError: The batch has no budgets, or one is less than 1.
    """
    budget = required(batch, "budget")
    within("constant", "the budget of an episode", int(budget.min()), 1, whole=True)
    return batch.mask / (len(batch.mask) * budget[batch.episode].unsqueeze(1).to(batch.mask.dtype))


def sequence_sum(batch: Batch) -> Tensor:
    """The plain policy gradient.

    Summed over tokens, averaged over rows: mask / rows. Source: Ahmadian et al. 2024, RLOO (2402.14740), whose action
    is the whole answer; Li et al. 2023, ReMax (2310.10505), algorithm 1.

    Worked example: 1/2 on each token.
    """
    return batch.mask / len(batch.mask)


AGGREGATIONS: dict[str, Callable[[Batch], Tensor]] = {
    "token_mean": token_mean,
    "sequence_mean": sequence_mean,
    "constant": constant,
    "sequence_sum": sequence_sum,
}
"""Aggregations by the names that overrides use."""

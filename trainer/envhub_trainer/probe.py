"""Checks that the sampler samples from the trainer's weights.

A server can accept weights and still use the old ones, or a mixture: training then diverges without an error. So after every
sync the sampler continues a short context, and the trainer's model computes the log-probabilities of the sampled tokens::

    difference = await probe(policy, model, ids, Sampling(max_tokens=16), tolerance=1e-3)

Weights whose log-probabilities differ by less than the tolerance are not distinguished, possibly those before and after a
single small step; a mixture, or weights that lag further and further behind, is detected.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from envhub_trainer.logprobs import score
from envhub_trainer.policy import Policy, PolicyError, Sampling
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.vision import placed


async def probe(
    policy: Policy, model: nn.Module, ids: Sequence[int], sampling: Sampling, tolerance: float, seed: int = 0
) -> float:
    """Compare the sampler with the model that was synced to it.

    Args:
        policy: The sampler.
        model: A causal language model; its mode and gradients are left as they are.
        ids: A context with room for at least one token.
        sampling: Sampling settings; a temperature other than 1 also checks that log-probabilities take it into account.
        tolerance: Maximum difference of a log-probability, in nats.
        seed: Seed of the completion.

    Returns:
        The largest difference of a log-probability, in nats.

    Raises:
        PolicyError: They differ by more, one is NaN, or the sampler's version is not that of the last sync.
        ValueError: The context has no room for a token.
    """
    held = placed(ids)  # so that its pictures live until the end
    completion = await policy.generate(ids, sampling, seed)
    if not completion.ids:
        raise ValueError(f"A context of {len(ids)} tokens has no room for one more; the policy's is {policy.context}.")
    if set(completion.versions) != {policy.version}:
        raise PolicyError(
            f"After the sync of version {policy.version} the sampler used version {sorted(set(completion.versions))}."
        )
    row = torch.tensor([[*ids, *completion.ids]], device=next(model.parameters()).device)
    mask = torch.zeros_like(row[:, 1:], dtype=torch.float32)
    mask[:, len(ids) - 1 :] = 1.0
    with evaluating(model):
        expected = score(model, row, mask, temperature=sampling.temperature or 1.0).logp[0, len(ids) - 1 :]
    difference = float((torch.tensor(completion.logps) - expected.cpu()).abs().max())
    if not difference <= tolerance:  # NaN is not within the tolerance
        raise PolicyError(
            f"The sampler does not sample from the trainer's weights of version {policy.version}: a log-probability "
            f"differs by {difference:.3g} nats, at most {tolerance:.3g} are expected ({len(held)} pictures). "
            f"The sync did not take, or the two compute differently."
        )
    return difference

"""What samples: token ids in, token ids and their log-probabilities out.

Two implementations: :mod:`envhub_trainer.policy.hf` (transformers, in this process) and
:mod:`envhub_trainer.policy.vllm` (vLLM's
server). Both answer any number of concurrent :meth:`Policy.generate` calls and batch them as they see fit; what a
request samples depends on its ``seed`` and not on who else is in the batch (up to rounding).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from torch import nn


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample. There is no top-p and no top-k: a truncated distribution is not the policy that is trained.

    Attributes:
        max_tokens: At most so many tokens an action.
        temperature: Logits are divided by it; 0 takes the likeliest token, whose log-probability is then at temperature
            1.
    """

    max_tokens: int
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class Completion:
    """What was sampled.

    Attributes:
        ids: Tokens, with the end token if the policy wrote it; empty if the context had no room for one.
        logps: Their log-probabilities at the sampling temperature, natural logarithm.
        versions: The version of the weights that sampled each.
        finished: The last token is an end token; otherwise the budget or the context ran out.
    """

    ids: list[int]
    logps: list[float]
    versions: list[int]
    finished: bool


class Policy(Protocol):
    """Samples from a model whose weights it is given.

    Attributes:
        version: Of the weights it holds; 0 before the first :meth:`sync`.
        context: How many tokens a row may have.
    """

    version: int
    context: int

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """Go on from a context.

        Args:
            ids: The whole context.
            sampling: How.
            seed: Of this completion, 0..2**63-1; the same seed samples the same tokens.

        Raises:
            PolicyError: It cannot; not what the caller did wrong.
            ValueError: The context is empty or longer than ``context``.
        """
        ...

    async def sync(self, model: nn.Module, version: int) -> None:
        """Take over weights; tokens of requests in flight say which weights sampled them.

        Raises:
            PolicyError: The weights did not arrive.
        """
        ...

    async def close(self) -> None:
        """Give back what it holds; requests in flight fail."""
        ...


class PolicyError(RuntimeError):
    """The sampler failed: no episode is to blame, and the run stops."""

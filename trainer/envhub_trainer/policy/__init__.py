"""The sampler: token ids in, token ids and their log-probabilities out.

Two implementations: :mod:`envhub_trainer.policy.hf` (transformers, in this process) and
:mod:`envhub_trainer.policy.vllm` (vLLM's
server). Both accept any number of concurrent :meth:`Policy.generate` calls and batch them; the sampled tokens depend on the
request's ``seed`` and not on the rest of the batch (up to rounding).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from torch import nn

from envhub_trainer.episode import Episode


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling settings, without top-p and top-k.

    A truncated distribution is not the policy that is trained.

    Attributes:
        max_tokens: Maximum number of tokens per action.
        temperature: Logits are divided by it; 0 takes the likeliest token, whose log-probability is then at temperature
            1.
    """

    max_tokens: int
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class Completion:
    """A sampled completion.

    Attributes:
        ids: Tokens, with the end token if it was sampled; empty if the context had no room for a token.
        logps: Their log-probabilities at the sampling temperature, natural logarithm.
        versions: The version of the weights that sampled each token.
        finished: The last token is an end token; otherwise the budget or the context ran out.
    """

    ids: list[int]
    logps: list[float]
    versions: list[int]
    finished: bool


@dataclass(frozen=True, slots=True)
class Confidence:
    """Means over an episode's sampled tokens, from distributions at temperature 1.

    Attributes:
        self_certainty: See :func:`envhub.rewards.self_certainty`.
        negative_entropy: See :func:`envhub.rewards.negative_entropy`.
    """

    self_certainty: float
    negative_entropy: float


class Sampler(Protocol):
    """Continues contexts.

    Attributes:
        context: Maximum number of tokens in a row.
    """

    context: int

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """Sample a continuation of a context.

        Args:
            ids: The whole context.
            sampling: Sampling settings.
            seed: Seed of this completion, 0..2**63-1; the same seed samples the same tokens.

        Raises:
            PolicyError: The sampler failed; not an error of the caller.
            ValueError: The context is empty or longer than ``context``.
        """
        ...


class Policy(Sampler, Protocol):
    """Samples from a model whose weights are set by :meth:`sync`.

    Attributes:
        version: Version of its weights; 0 before the first :meth:`sync`.
    """

    version: int

    async def confidence(self, episodes: Sequence[Episode]) -> list[Confidence]:
        """How sure the policy was of the tokens of finished episodes."""
        ...

    async def sync(self, model: nn.Module, version: int) -> None:
        """Load new weights, whose version each token records; PolicyError on failure."""
        ...

    async def forget(self) -> None:
        """Drop what earlier requests left behind.

        Without requests in flight, later samples are bit-identical to those of a new sampler that has the same weights.
        """
        ...

    async def close(self) -> None:
        """Release resources; requests in flight fail."""
        ...


class PolicyError(RuntimeError):
    """The sampler failed, which is not an episode's fault; the run stops."""

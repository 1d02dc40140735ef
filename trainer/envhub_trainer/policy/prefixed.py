"""A sampler whose first actions are given, for continuations, demonstrations and hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from envhub_trainer.policy import Completion, Sampler, Sampling


class Prefixed:
    """Returns the given actions of one conversation in order, then samples.

    An action that is not finished is continued by the sampler; its tokens count towards ``max_tokens``, of which at least one
    is sampled. An action that does not fit into the context is cut, as one of the sampler would be.

    Args:
        sampler: Samples everything else.
        given: The first actions of the conversation.

    Attributes:
        context: Maximum number of tokens in a row.
    """

    def __init__(self, sampler: Sampler, given: Sequence[Completion]) -> None:
        self._sampler = sampler
        self._given = list(given)
        self.context = sampler.context

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """See :meth:`envhub_trainer.policy.Sampler.generate`."""
        if not self._given:
            return await self._sampler.generate(ids, sampling, seed)
        begun, room = self._given.pop(0), self.context - len(ids)
        if len(begun.ids) > room:
            return Completion(begun.ids[:room], begun.logps[:room], begun.versions[:room], finished=False)
        if begun.finished:
            return begun
        left = replace(sampling, max_tokens=max(1, sampling.max_tokens - len(begun.ids)))
        rest = await self._sampler.generate([*ids, *begun.ids], left, seed)
        return Completion(begun.ids + rest.ids, begun.logps + rest.logps, begun.versions + rest.versions, rest.finished)

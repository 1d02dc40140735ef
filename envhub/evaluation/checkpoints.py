"""Plays a model from disk, for ``envhub eval --checkpoint``, with the trainer's sampler.

The whole conversation is rendered for every message with the model's chat template. Sampling depends only on the
conversation and the attempt, so a resumed run gives the same samples.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON
from envhub.evaluation.players import Messages
from envhub.verifiers.judge.endpoint import Said

if TYPE_CHECKING:
    from envhub_trainer.policy.hf import HfPolicy
    from envhub_trainer.render import Renderer


class CheckpointPlayer:
    """A causal language model of transformers.

    Args:
        path: Folder or name of the model.
        name: Name in reports.
        temperature: Sampling temperature; 0 is greedy.
        max_tokens: Maximum tokens per message.
        context: Maximum tokens of a conversation; the model's own limit if lower.

    Raises:
        MissingExtra: The trainer's packages are not installed.
        InvalidParameters: The model does not exist.
    """

    def __init__(
        self, path: Path | str, name: str, *, temperature: float = 1.0, max_tokens: int = 4096, context: int = 32_768
    ) -> None:
        try:
            from envhub_trainer.config import ConfigError, ModelConfig
            from envhub_trainer.models import load_model, load_tokenizer
        except ImportError as error:
            raise MissingExtra("A checkpoint needs the trainer's packages: pip install 'envhub[train]'.") from error
        try:
            self._tokenizer = load_tokenizer(str(path))
            self._model = load_model(str(path), ModelConfig(path=str(path)))
        except ConfigError as error:
            raise InvalidParameters(str(error)) from None
        self.name = name
        self._temperature, self._max_tokens = temperature, max_tokens
        self._context = min(context, getattr(self._model.config, "max_position_embeddings", context))
        self._renderers: dict[str, Renderer] = {}
        self._policy: HfPolicy | None = None

    async def reply(self, messages: Messages, tools: Sequence[JSON], attempt: int) -> Said:
        """The model's next message.

        Empty and cut off if the context is full.
        """
        from envhub_trainer.policy import Sampling

        assert self._policy is not None, "a player is used in an async with"
        renderer = self._renderer(tools)
        ids = renderer.opening(messages)
        if len(ids) >= self._context:
            return Said("", finish="length", tokens=0)
        seed = blake2b(canonical_json([list(messages), attempt]), digest_size=8).digest()
        sampling = Sampling(self._max_tokens, self._temperature)
        done = await self._policy.generate(ids, sampling, int.from_bytes(seed, "big") >> 1)
        finish = "stop" if done.finished else "length"
        return Said(renderer.text(done.ids), finish=finish, tokens=len(done.ids))

    def _renderer(self, tools: Sequence[JSON]) -> Renderer:
        from envhub_trainer.render import Renderer

        name = json.dumps(list(tools), sort_keys=True)
        if name not in self._renderers:
            self._renderers[name] = Renderer(self._tokenizer, tools)
        return self._renderers[name]

    async def __aenter__(self) -> Self:
        from envhub_trainer.policy.hf import HfPolicy

        settings: dict[str, Any] = {"slots": 64, "thread": True, "vocabulary": len(self._tokenizer)}
        ends = self._renderer(()).end_ids
        self._policy = HfPolicy(self._model, end_ids=ends, context=self._context, **settings)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._policy is not None:
            await self._policy.close()

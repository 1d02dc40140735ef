"""Sampler on transformers, in this process, on CPU or GPU.

Requests are batched as they arrive: a waiting request is admitted to a free slot and its context fed, then each step samples
one token for all active rows. Between steps the event loop runs, so that an episode whose turn is finished can step its
environment and rejoin the batch before the next step. Slots keep their contexts' keys and values, so the next turn of an
episode feeds only its new tokens::

    policy = HfPolicy(model, end_ids=frozenset({2}), context=2048)
    completion = await policy.generate(ids, Sampling(max_tokens=256), seed=7)
    await policy.sync(model, version=1)     # after the weights have changed

Promises: log-probabilities are those of a plain forward pass of the same weights up to rounding; tokens depend on the
request's seed and not on the batch (up to rounding); no request hangs, whatever fails; without ``thread`` everything
runs on the event loop, and the same calls in the same order give the same result.
"""

from __future__ import annotations

import asyncio
import copy
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch
from torch import nn
from transformers import PreTrainedModel

from envhub_trainer.episode import Episode
from envhub_trainer.logprobs import spread
from envhub_trainer.policy import Completion, Confidence, PolicyError, Sampling
from envhub_trainer.policy.engine import Engine, Request, Stats
from envhub_trainer.policy.forward import Forward, evaluating
from envhub_trainer.vision import placed, sees

_T = TypeVar("_T")

_QUIET = 4
"""Rounds of the event loop without a new request after which the next step starts."""


class HfPolicy:
    """A :class:`envhub_trainer.policy.Policy` on a model of transformers.

    Attributes:
        version: Version of its weights.
        context: Maximum number of tokens in a row.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        *,
        end_ids: frozenset[int],
        context: int,
        slots: int = 256,
        share: bool = True,
        thread: bool = False,
        vocabulary: int | None = None,
        version: int = 0,
    ) -> None:
        """Create a sampler.

        Args:
            model: A decoder-only causal language model.
            end_ids: A completion ends with any of these tokens.
            context: Maximum number of tokens in a row.
            slots: Maximum number of active requests and of cached contexts; more requests wait, first come first served.
            share: Sample with this model instance, whose weights may change only right before a :meth:`sync`; otherwise with
                a copy.
            thread: Compute in a thread, so that the event loop keeps running. Batches then depend on timing, and completions
                may differ by rounding between runs.
            vocabulary: Sample only ids below it, for a model whose embedding is larger than the tokenizer's vocabulary.
            version: Version of the model's weights.

        Raises:
            ValueError: A number is not positive, or the model is not supported.
        """
        if slots < 1 or context < 1:
            raise ValueError(f"A sampler has at least one slot and one token of context, got {slots} and {context}.")
        if not share:
            model = copy.deepcopy(model)
            model.requires_grad_(False).train(False)
        forward = Forward(model, rows=slots, context=context)
        if vocabulary is not None and not 1 <= vocabulary <= forward.tokens:
            raise ValueError(f"The vocabulary has 1 to {forward.tokens} tokens, got {vocabulary}.")
        self.version = version
        self.context = context
        self._share = share
        self._engine = Engine(forward, slots=slots, end_ids=end_ids, vocabulary=vocabulary, version=version)
        self._futures: dict[Request, asyncio.Future[None]] = {}
        self._task: asyncio.Task[None] | None = None
        self._executor = ThreadPoolExecutor(1, "sampler") if thread else None
        self._arrived = 0
        self._closed = False

    @property
    def stats(self) -> Stats:
        """Live statistics since its creation."""
        return self._engine.stats

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        """Sample a continuation; see :meth:`envhub_trainer.policy.Policy.generate`.

        Raises:
            PolicyError: The sampler is closed or failed.
            ValueError: The context is empty, too long or has an unknown token, or sampling or seed is out of range.
        """
        context = list(ids)
        self._validate(context, sampling, seed)
        if self._closed:
            raise PolicyError("The sampler is closed.")
        most = min(sampling.max_tokens, self.context - len(context))
        request = Request(context, sampling.temperature, seed, most, pictures=placed(context))
        if most > 0:
            await self._finish(request)
        return Completion(request.sampled, request.logps, request.versions, request.finished)

    async def confidence(self, episodes: Sequence[Episode]) -> list[Confidence]:
        """See :meth:`envhub_trainer.policy.Policy.confidence`; one forward pass per row."""
        return await self._call(lambda: [self._confidence(episode) for episode in episodes])

    def _confidence(self, episode: Episode) -> Confidence:
        model = self._engine.forward.model
        with evaluating(model):
            parts = [
                spread(
                    model, torch.tensor([row.ids], device=model.device), torch.tensor([row.mask[1:]]).to(model.device)
                )
                for row in episode.rows
                if any(row.mask[1:])
            ]
        if not parts:
            return Confidence(0.0, -math.log(self._engine.forward.tokens))
        certainty, entropy = (float(torch.cat(each).mean()) for each in zip(*parts, strict=True))
        return Confidence(certainty, -entropy)

    async def sync(self, model: nn.Module, version: int) -> None:
        """See :meth:`envhub_trainer.policy.Policy.sync`; between two steps, or nothing changes."""
        if self._closed:
            raise PolicyError("The sampler is closed.")
        await self._call(lambda: self._take_over(model, version))

    async def forget(self) -> None:
        """Drop what is cached; see :meth:`envhub_trainer.policy.Policy.forget`."""
        await self._call(self._engine.forget)

    async def close(self) -> None:
        """Free the cache; requests in flight fail with :class:`~envhub_trainer.policy.PolicyError`."""
        self._closed = True
        self._fail("The sampler was closed.", None)
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._executor is not None:
            self._executor.shutdown(wait=True)
        self._engine.reset()

    async def _finish(self, request: Request) -> None:
        future = self._futures[request] = asyncio.get_running_loop().create_future()
        self._engine.submit(request)
        self._arrived += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            await future
        finally:
            request.cancelled = True  # no effect if it is finished
            del self._futures[request]

    async def _run(self) -> None:
        """Step until there are no requests."""
        changed = True
        try:
            while self._engine.unfinished:
                await self._drain(changed)
                finished = await self._call(self._step)
                changed = bool(finished)
                for request in finished:
                    future = self._futures.get(request)
                    if future is not None and not future.done():
                        future.set_result(None)
        except asyncio.CancelledError:
            self._fail("The sampler was cancelled.", None)
            raise
        except Exception as error:
            self._fail(f"The sampler failed: {str(error) if isinstance(error, PolicyError) else repr(error)}", error)

    async def _drain(self, changed: bool) -> None:
        """Let the event loop collect requests for the next step."""
        seen = self._arrived
        await asyncio.sleep(0)
        quiet = 0 if changed or self._arrived != seen else _QUIET
        while quiet < _QUIET:
            seen = self._arrived
            await asyncio.sleep(0)
            quiet = quiet + 1 if self._arrived == seen else 0

    async def _call(self, function: Callable[[], _T]) -> _T:
        """Compute here, or queued in the worker thread: calls never overlap."""
        if self._executor is None:
            return function()
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)

    def _step(self) -> list[Request]:
        try:
            return self._engine.step()
        except BaseException:
            self._engine.reset()  # an interrupted step leaves slots half written
            raise

    def _fail(self, message: str, cause: BaseException | None) -> None:
        """Fail every request in flight, each with its own error."""
        for future in self._futures.values():
            if not future.done():
                error = PolicyError(message)
                error.__cause__ = cause
                future.set_exception(error)

    def _take_over(self, model: nn.Module, version: int) -> None:
        mine = self._engine.forward.model
        if not self._share:
            copy_weights(model, mine)
        elif model is not mine:
            raise PolicyError(
                "The sampler shares the model it was made with, and was given another: make it with share=False."
            )
        self._engine.renew(version)
        self.version = version

    def _validate(self, ids: list[int], sampling: Sampling, seed: int) -> None:
        if not 1 <= len(ids) <= self.context:
            raise ValueError(f"A context has 1 to {self.context} tokens, got {len(ids)}.")
        known = self._engine.forward.tokens
        if (min(ids) < 0 and not sees(self._engine.forward.model)) or max(ids) >= known:
            unknown = next(token for token in ids if not 0 <= token < known)
            raise ValueError(f"The model's tokens are 0 to {known - 1}, got {unknown}.")
        if sampling.max_tokens < 1:
            raise ValueError(f"An action has at least one token, got max_tokens {sampling.max_tokens}.")
        if not 0 <= sampling.temperature < math.inf:
            raise ValueError(f"A temperature is 0 or more, got {sampling.temperature}.")
        if not 0 <= seed < 2**63:
            raise ValueError(f"A seed is 0 to 2**63 - 1, got {seed}.")


def copy_weights(source: nn.Module, target: nn.Module) -> None:
    """Copy parameters and buffers into an identical module.

    Across devices and data types. Sharded tensors are gathered, so every rank must call this.

    Raises:
        PolicyError: Names or shapes differ; nothing has been copied.
    """
    given = source.state_dict()
    wanted = target.state_dict()
    if given.keys() != wanted.keys():
        missing = sorted(wanted.keys() - given.keys())
        unknown = sorted(given.keys() - wanted.keys())
        raise PolicyError(f"The weights are of another model: missing {missing[:3]}, unknown {unknown[:3]}.")
    for name, tensor in wanted.items():
        if given[name].shape != tensor.shape:
            raise PolicyError(
                f"The weights are of another model: {name} is {tuple(given[name].shape)}, expected {tuple(tensor.shape)}."
            )
    with torch.no_grad():
        for name, tensor in wanted.items():
            weights = given[name]
            tensor.copy_(weights.full_tensor() if hasattr(weights, "full_tensor") else weights)

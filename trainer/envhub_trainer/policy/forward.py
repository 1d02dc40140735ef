"""Forward pass over slots: new tokens in, next-token logits out.

Works with any decoder-only model of transformers with full causal attention (Llama, Qwen2, Qwen3, SmolLM2 and similar), with
an explicit mask and explicit positions, so that rows of any lengths can be batched.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from envhub_trainer import vision
from envhub_trainer.policy.slots import SlotCache

_ATTENTION = ("sdpa", "eager")

_FED = 8192
"""Maximum number of context tokens, padding included, per forward pass of several contexts; bounds the memory."""


class Forward:
    """A model with a cache of its contexts.

    Attributes:
        model: The model.
        cache: The keys and values computed so far.
        tokens: Ids below this number have an embedding.
        device: Where the model is.
    """

    def __init__(self, model: PreTrainedModel, *, rows: int, context: int) -> None:
        """Create an empty cache of at most ``rows`` contexts of ``context`` tokens.

        Raises:
            ValueError: The model does not support this context length, or its attention is not supported.
        """
        _check(model, context)
        self.model = model
        self.tokens = cast(nn.Embedding, model.get_input_embeddings()).weight.shape[0]
        self.device = model.device
        self._limits = rows, context
        # transformers 5.24 renamed past_key_values
        self._cache_name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
        self.cache = SlotCache(rows, context, self.device)

    def forget(self) -> None:
        """Free the cache's memory."""
        self.cache = SlotCache(*self._limits, self.device)

    def rotary(self, ids: list[int]) -> Tensor | None:
        """``(3, n)`` positions of a context with pictures, or None."""
        found = vision.rotary(self.model, self._tensor([ids])) if min(ids) < 0 else None
        return None if found is None else found[:, 0]

    def suffixes(
        self,
        places: Sequence[int],
        contexts: Sequence[list[int]],
        kept: Sequence[int],
        rotary: Sequence[Tensor | None],
    ) -> Tensor:
        """Feed the tokens after the kept ones of each context.

        At least one each.

        Args:
            places: Row of each context.
            contexts: The whole contexts.
            kept: How many tokens of each the cache holds.
            rotary: What :meth:`rotary` returned for each.

        Returns:
            ``(m, V)`` float32.
        """
        self.cache.reserve(1 + max(places), max(map(len, contexts)))
        parts = _parts([len(ids) - start for ids, start in zip(contexts, kept, strict=True)], places)
        logits = [
            self._suffixes(
                [places[i] for i in part],
                [contexts[i] for i in part],
                [kept[i] for i in part],
                [rotary[i] for i in part],
            )
            for part in parts
        ]
        if len(logits) == 1 and parts[0] == list(range(len(places))):
            return logits[0]
        order = torch.tensor([i for part in parts for i in part], device=self.device)
        return torch.cat(logits)[order.argsort()]

    def ones(self, ids: Tensor, positions: Tensor, shifts: Tensor, busy: Tensor | None, longest: int) -> Tensor:
        """Feed one token to each of the first rows.

        Args:
            ids: ``(n,)``.
            positions: ``(n,)`` column of each.
            shifts: ``(n,)`` difference between the position that the model takes and the column.
            busy: ``(n,)`` False for rows that must not change; None if all rows are busy.
            longest: One more than the last position of a busy row.

        Returns:
            ``(n, V)`` float32; undefined where not busy.
        """
        self.cache.reserve(len(ids), longest)
        columns = positions if busy is None else torch.where(busy, positions, self.cache.capacity)
        turned = (positions + shifts)[:, None]
        return self._logits(len(ids), ids[:, None], positions[:, None], turned, columns[:, None], longest)

    def _suffixes(
        self, places: list[int], contexts: list[list[int]], kept: list[int], rotary: list[Tensor | None]
    ) -> Tensor:
        width = max(len(ids) - start for ids, start in zip(contexts, kept, strict=True))
        fed = [ids[start:] for ids, start in zip(contexts, kept, strict=True)]
        # Padding is on the left, so that the last column is each row's last token. It has position 0 and is never read.
        ids = self._tensor([[0] * (width - len(new)) + new for new in fed])
        lengths = self._tensor([len(ids) for ids in contexts])
        positions = torch.arange(width, device=self.device) + (lengths - width)[:, None]
        real = positions >= self._tensor(list(kept))[:, None]
        columns = torch.where(real, positions, self.cache.capacity)
        positions = torch.where(real, positions, 0)
        turned = positions if all(each is None for each in rotary) else positions.repeat(3, 1, 1)
        for row, (each, new) in enumerate(zip(rotary, fed, strict=True)):
            if each is not None:
                turned[:, row, width - len(new) :] = each[:, -len(new) :]
        rows = len(places) if places == list(range(len(places))) else self._tensor(places)
        return self._logits(rows, ids, positions, turned, columns, max(map(len, contexts)))

    def _tensor(self, values: list[int] | list[list[int]]) -> Tensor:
        return torch.tensor(values, device=self.device)

    def _logits(
        self, rows: int | Tensor, ids: Tensor, positions: Tensor, turned: Tensor, columns: Tensor, longest: int
    ) -> Tensor:
        self.cache.aim(rows, columns, longest)
        given = {"input_ids": ids}
        if vision.sees(self.model):
            given = {"input_ids": vision.plain(self.model, ids), **vision.pixels(ids)}
        out = self.model(
            **given,
            attention_mask=mask(positions, longest, self.model.dtype),
            position_ids=turned,
            use_cache=True,
            logits_to_keep=1,
            **{self._cache_name: self.cache},
        )
        logits: Tensor = out.logits[:, -1].float()
        return logits


def _parts(widths: Sequence[int], places: Sequence[int]) -> list[list[int]]:
    """Indices in parts of similar width, each at most :data:`_FED` padded tokens."""
    parts: list[list[int]] = [[]]
    for i in sorted(range(len(widths)), key=lambda i: widths[i]):
        if parts[-1] and widths[i] * (len(parts[-1]) + 1) > _FED:
            parts.append([])
        parts[-1].append(i)
    return [sorted(part, key=lambda i: places[i]) for part in parts]


def mask(positions: Tensor, longest: int, dtype: torch.dtype) -> Tensor:
    """The causal mask.

    Each token attends to itself and all tokens before it.

    Args:
        positions: ``(m, T)``.
        longest: Number of keys, from position 0.
        dtype: Data type of the model.

    Returns:
        ``(m, 1, T, longest)``, added to the attention scores: 0 or the lowest number.
    """
    keys = torch.arange(longest, device=positions.device)
    unseen = keys > positions[:, None, :, None]
    return torch.zeros(unseen.shape, dtype=dtype, device=positions.device).masked_fill_(unseen, torch.finfo(dtype).min)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Disable gradients and dropout; restores every module's mode at exit."""
    training = [module for module in model.modules() if module.training]
    for module in training:
        module.training = False
    try:
        # Not inference_mode: tensors that a model keeps here (as some rotary embeddings do) are needed for gradients later.
        with torch.no_grad():
            yield
    finally:
        for module in training:
            module.training = True


def _check(model: PreTrainedModel, context: int) -> None:
    config = model.config.get_text_config()
    attention = config._attn_implementation
    if attention not in _ATTENTION:
        raise ValueError(
            f"The sampler gives the model a mask of its own, which attention {attention!r} does not take: load the model with "
            f"attn_implementation='sdpa'."
        )
    longest = getattr(config, "max_position_embeddings", None)
    if longest is not None and context > longest:
        raise ValueError(f"The model has positions for {longest} tokens, the context is {context}.")
    window = getattr(config, "sliding_window", None)
    kinds = set(getattr(config, "layer_types", None) or ())
    slides = "sliding_attention" in kinds if kinds else window is not None
    if slides and window is not None and window < context:
        raise ValueError(
            f"The model attends to the last {window} tokens only, the context is {context}: choose a shorter one."
        )
    other = kinds - {"full_attention", "sliding_attention"}
    if other:
        raise ValueError(f"The sampler knows layers of full attention, the model has {', '.join(sorted(other))}.")

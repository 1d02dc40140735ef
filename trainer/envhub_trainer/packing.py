"""Sequence packing: several short rows share one row of the forward pass.

::

    for index in micro_batches(batch.length, tokens=16_384):
        part = batch.rows(index)
        found = score(model, part.ids, part.mask, part.length)      # as logprobs.score, with less padding

A packed row has the width of the longest row in its pass. Each token keeps its position in its own row. From positions that
start again, transformers derives a mask under which a token attends only to earlier tokens of its own row, so log-probabilities
are those of rows by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from envhub_trainer import logprobs
from envhub_trainer.logprobs import Scored


def fit(lengths: Sequence[int], width: int, bins: int | None = None) -> list[tuple[int, int] | None]:
    """Assign rows to bins, first fit.

    Args:
        lengths: Tokens of each row, at most ``width``.
        width: Tokens of a bin.
        bins: Maximum number of bins; unlimited by default.

    Returns:
        For each row the number of its bin and its offset in it; None if it fits in none.
    """
    used: list[int] = []
    places: list[tuple[int, int] | None] = []
    for length in lengths:
        found = next((number for number, tokens in enumerate(used) if tokens + length <= width), len(used))
        if found == len(used):
            if bins is not None and len(used) == bins:
                places.append(None)
                continue
            used.append(0)
        places.append((found, used[found]))
        used[found] += length
    return places


def micro_batches(length: Tensor, tokens: int) -> Iterator[Tensor]:
    """Row indices of micro-batches, the longest rows first.

    Args:
        length: ``(B,)`` tokens of each row.
        tokens: Maximum number of tokens per micro-batch, the padding of packed rows included; a longer row is a micro-batch
            of its own.
    """
    sizes = length.tolist()
    left = sorted(range(len(sizes)), key=lambda row: -sizes[row])
    while left:
        width = sizes[left[0]]
        places = fit([sizes[row] for row in left], width, max(1, tokens // width))
        yield torch.tensor(
            [row for row, place in zip(left, places, strict=True) if place is not None], device=length.device
        )
        left = [row for row, place in zip(left, places, strict=True) if place is None]


def score(model: Any, ids: Tensor, mask: Tensor, length: Tensor, **options: Any) -> Scored:
    """Scores of rows, computed on packed rows.

    Args:
        model: A Hugging Face causal language model.
        ids: ``(B, T + 1)`` token ids, padded on the right.
        mask: ``(B, T)``; position ``t`` selects token ``t + 1``.
        length: ``(B,)`` tokens of each row, in decreasing order.
        options: Further arguments of :func:`envhub_trainer.logprobs.score`.
    """
    rows, width = ids.shape
    sizes = length.tolist()
    starts = torch.tensor([place[0] * width + place[1] for place in fit(sizes, width) if place], device=ids.device)
    inside = torch.arange(width, device=ids.device)
    real = inside < length[:, None]
    places = torch.where(real, starts[:, None] + inside, 0)  # of each token among all packed tokens
    count = 1 + int(starts.max()) // width

    def packed(values: Tensor) -> Tensor:
        blank = torch.zeros(count * width, dtype=values.dtype, device=ids.device)
        return blank.index_put((places[real],), values[real]).view(count, width)

    chosen = packed(torch.nn.functional.pad(mask, (0, 1)))[:, :-1]
    found = logprobs.score(
        model,
        packed(ids),
        chosen,
        positions=packed(inside.expand(rows, width))[:, :-1],
        **options,
    )

    def unpacked(values: Tensor) -> Tensor:
        whole = torch.nn.functional.pad(values, (0, 1)).flatten()
        return torch.where(mask > 0, whole[places[:, :-1]], 0)

    value = None if found.value is None else unpacked(found.value)
    return Scored(unpacked(found.logp), unpacked(found.entropy), value, count * width)

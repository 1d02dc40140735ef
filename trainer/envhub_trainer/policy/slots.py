"""Key-value cache of many contexts, one row and position each.

Each layer has one tensor of keys and one of values, ``(rows, capacity + 1, kv_heads, head_dim)``; rows and capacity double on
demand. Column ``t`` of a row belongs to the token at position ``t``, without left padding. Padding writes to the last column,
which is never read. Before every forward pass, set where it writes and what it reads::

    cache.reserve(rows=16, columns=40)
    cache.aim(16, columns, longest=31)   # the first 16 rows; or a tensor of rows
    model(ids, attention_mask=mask, position_ids=positions, cache=cache, use_cache=True)  # past_key_values before 5.24
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache

_FEWEST_ROWS = 8
_FEWEST_COLUMNS = 32


def _doubled(least: int, start: int, most: int) -> int:
    """``start``, doubled until it is at least ``least``, at most ``most``."""
    while start < least:
        start *= 2
    return min(start, most)


class SlotCache(Cache):
    """A :class:`transformers.Cache` whose update scatters at (row, column).

    Attributes:
        rows: Current number of rows.
        capacity: Current number of tokens per row; also the index of the padding column.
    """

    def __init__(self, rows: int, context: int, device: torch.device | str = "cpu") -> None:
        """Create an empty cache.

        Args:
            rows: Maximum number of rows.
            context: Maximum number of tokens per row.
            device: Where the model is.
        """
        super().__init__(layers=[])
        self._limits = rows, context
        self._device = torch.device(device)
        self._keys: dict[int, Tensor] = {}
        self._values: dict[int, Tensor] = {}
        self._read: int | Tensor = 0
        self._write = torch.empty(0, dtype=torch.long)
        self._longest = 0
        self.rows = min(_FEWEST_ROWS, rows)
        self.capacity = min(_FEWEST_COLUMNS, context)

    def reserve(self, rows: int, columns: int) -> None:
        """Grow to at least these numbers; ValueError beyond the maximum."""
        if rows > self._limits[0] or columns > self._limits[1]:
            raise ValueError(
                f"The cache grows to {self._limits[0]} rows of {self._limits[1]} tokens, asked for {rows} of {columns}."
            )
        if rows <= self.rows and columns <= self.capacity:
            return
        held = self.capacity
        self.rows = _doubled(rows, self.rows, self._limits[0])
        self.capacity = _doubled(columns, self.capacity, self._limits[1])
        for tensors in (self._keys, self._values):
            for layer, old in tensors.items():
                new = self._zeros(old)
                new[: old.shape[0], :held] = old[:, :held]
                tensors[layer] = new

    def aim(self, rows: int | Tensor, columns: Tensor, longest: int) -> None:
        """Set where the next forward pass writes and what it reads.

        Args:
            rows: ``(m,)`` cache row of each batch row; a number n means the first n rows, which are read without a copy.
            columns: ``(m, T)`` column of each token; :attr:`capacity` for padding.
            longest: Columns 0 to ``longest - 1`` are read.
        """
        each = torch.arange(rows, device=self._device) if isinstance(rows, int) else rows
        self._read = rows
        self._write = (each[:, None] * (self.capacity + 1) + columns).reshape(-1)
        self._longest = longest

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Store a layer's new keys and values; return those to attend to.

        Args:
            key_states: ``(m, kv_heads, T, head_dim)``.
            value_states: The same, possibly with another ``head_dim``.
            layer_idx: Index of the layer.
            *args: Not used.
            **kwargs: Not used.

        Returns:
            Keys and values, ``(m, kv_heads, longest, head_dim)``.
        """
        return (
            self._exchange(self._keys, layer_idx, key_states),
            self._exchange(self._values, layer_idx, value_states),
        )

    def copy(self, sources: Sequence[int], targets: Sequence[int], start: int, stop: int) -> None:
        """Copy columns ``start`` to ``stop-1`` between rows, all at once."""
        if not sources or stop <= start:
            return
        given = torch.tensor(sources, device=self._device)
        taken = torch.tensor(targets, device=self._device)
        for tensor in (*self._keys.values(), *self._values.values()):
            columns = tensor[:, start:stop]
            columns.index_copy_(0, taken, columns.index_select(0, given))

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Number of columns the next forward pass reads."""
        return self._longest

    def _exchange(self, tensors: dict[int, Tensor], layer: int, states: Tensor) -> Tensor:
        heads, width = states.shape[1], states.shape[3]
        states = states.transpose(1, 2)
        if layer not in tensors:
            tensors[layer] = self._zeros(states)
        tensor = tensors[layer]
        tensor.view(-1, heads, width).index_copy_(0, self._write, states.reshape(-1, heads, width))
        if isinstance(self._read, int):
            return tensor[: self._read, : self._longest].transpose(1, 2)
        return tensor[:, : self._longest].index_select(0, self._read).transpose(1, 2)

    def _zeros(self, like: Tensor) -> Tensor:
        """Allocate zeros, since a masked NaN would stay NaN times 0."""
        return like.new_zeros(self.rows, self.capacity + 1, *like.shape[2:])

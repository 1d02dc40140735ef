import pytest
import torch
from torch import Tensor

from envhub_trainer.policy.slots import SlotCache

HEADS, WIDTH = 2, 3


def states(rows: int, tokens: int, start: float) -> Tensor:
    """Numbers that are all different, ``(rows, HEADS, tokens, WIDTH)``."""
    return start + torch.arange(rows * HEADS * tokens * WIDTH, dtype=torch.float32).view(rows, HEADS, tokens, WIDTH)


def read(cache: SlotCache, row: int, longest: int) -> Tensor:
    """Keys of a row, by writing only to the column for padding."""
    cache.aim(torch.tensor([row]), torch.tensor([[cache.capacity]]), longest)
    return cache.update(states(1, 1, 9e6), states(1, 1, 9e6), 0)[0][0]


def test_tokens_are_written_at_their_rows_and_columns_and_read_back() -> None:
    cache = SlotCache(8, 64)
    keys, values = states(2, 3, 0), states(2, 3, 1000)
    cache.aim(torch.tensor([5, 1]), torch.tensor([[0, 1, 2], [cache.capacity, 0, 1]]), 3)
    got_keys, got_values = cache.update(keys, values, 0)
    assert torch.equal(got_keys[0], keys[0])
    assert torch.equal(got_values[0], values[0])
    assert torch.equal(got_keys[1, :, :2], keys[1, :, 1:])
    assert got_keys[1, :, 2].eq(0).all()
    assert read(cache, 0, 3).eq(0).all()


def test_the_first_rows_are_read_without_a_copy() -> None:
    cache = SlotCache(8, 64)
    cache.aim(4, torch.zeros(4, 1, dtype=torch.long), 1)
    one, _ = cache.update(states(4, 1, 0), states(4, 1, 0), 0)
    two, _ = cache.update(states(4, 1, 50), states(4, 1, 50), 0)
    assert one.data_ptr() == two.data_ptr()
    assert torch.equal(one, states(4, 1, 50))


def test_layers_are_apart() -> None:
    cache = SlotCache(2, 8)
    cache.aim(1, torch.tensor([[0]]), 1)
    first, _ = cache.update(states(1, 1, 0), states(1, 1, 0), 0)
    cache.update(states(1, 1, 50), states(1, 1, 50), 1)
    assert torch.equal(first, states(1, 1, 0))


def test_growth_keeps_what_is_held_and_stops_at_the_limits() -> None:
    cache = SlotCache(20, 100)
    keys = states(8, 32, 0)
    cache.aim(8, torch.arange(32).expand(8, -1), 32)
    cache.update(keys, keys, 0)
    cache.reserve(9, 33)
    assert (cache.rows, cache.capacity) == (16, 64)
    cache.reserve(20, 100)
    assert (cache.rows, cache.capacity) == (20, 100)
    assert torch.equal(read(cache, 7, 32), keys[7])
    assert read(cache, 7, 100)[:, 32:].eq(0).all()
    with pytest.raises(ValueError, match="20 rows of 100 tokens, asked for 21 of 5"):
        cache.reserve(21, 5)


def test_rows_are_copied_all_at_once() -> None:
    cache = SlotCache(8, 64)
    keys = states(3, 4, 0)
    cache.aim(3, torch.arange(4).expand(3, -1), 4)
    cache.update(keys, keys, 0)
    cache.copy([0, 1, 1], [1, 0, 5], 1, 3)
    rows = [read(cache, row, 4) for row in (0, 1, 2, 5)]
    assert torch.equal(rows[0][:, 1:3], keys[1, :, 1:3])
    assert torch.equal(rows[1][:, 1:3], keys[0, :, 1:3])
    assert torch.equal(rows[0][:, [0, 3]], keys[0][:, [0, 3]])
    assert torch.equal(rows[2], keys[2])
    assert torch.equal(rows[3][:, 1:3], keys[1, :, 1:3])
    assert rows[3][:, 3].eq(0).all()

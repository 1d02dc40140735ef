import numpy as np
import torch
from torch import Tensor

from envhub_trainer.policy.randomness import draw, mix, uniforms

WORD = (1 << 64) - 1


def splitmix(state: int) -> int:
    """Vigna's splitmix64.c on Python's integers: the output after the increment."""
    z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def signed(word: int) -> int:
    return int(np.uint64(word).astype(np.int64))


def turn_seed(seeds: list[int], count: int = 0) -> Tensor:
    return uniforms(torch.tensor(seeds), torch.full((len(seeds),), count))


def test_the_mixer_is_splitmix64() -> None:
    # The published outputs of seed 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    states = [(1234567 + (i + 1) * 0x9E3779B97F4A7C15) & WORD for i in range(3)]
    assert [splitmix(state) for state in states] == published
    words = [*states, 0, 1, WORD, 1 << 63, (1 << 63) - 1, 0x0123456789ABCDEF, 0xFEDCBA9876543210]
    assert mix(torch.tensor([signed(word) for word in words])).tolist() == [signed(splitmix(word)) for word in words]


def test_a_uniform_depends_on_its_seed_and_count_alone() -> None:
    together = uniforms(torch.tensor([5, 9, 5, 2**63 - 1]), torch.tensor([0, 3, 1, 7]))
    alone = [uniforms(torch.tensor([s]), torch.tensor([c])).item() for s, c in ((5, 0), (9, 3), (5, 1), (2**63 - 1, 7))]
    assert together.tolist() == alone
    assert together[0] != together[2]


def test_uniforms_are_uniform_over_seeds_and_over_counts() -> None:
    over_seeds = turn_seed(list(range(40_000)))
    over_counts = uniforms(torch.full((40_000,), 11), torch.arange(40_000))
    for sample in (over_seeds, over_counts):
        assert 0 <= sample.min() < 0.001
        assert 0.999 < sample.max() < 1
        cells = torch.histc(sample.float(), 40, 0, 1)
        assert ((cells - 1000) ** 2 / 1000).sum() < 39 + 5 * (2 * 39) ** 0.5
        neighbours = torch.corrcoef(torch.stack((sample[1:], sample[:-1])))[0, 1]
        assert abs(neighbours) < 5 / 200


def test_seeds_one_increment_apart_do_not_share_a_sequence() -> None:
    apart = signed(0x9E3779B97F4A7C15) & (2**63 - 1)
    counts = torch.arange(50)
    one = uniforms(torch.full((50,), 3), counts)
    other = uniforms(torch.full((50,), 3 + apart), counts)
    assert not set(one.tolist()) & set(other.tolist())


def test_drawn_tokens_follow_the_distribution() -> None:
    torch.manual_seed(0)
    row = torch.randn(30) * 2
    n = 60_000
    for temperature in (None, 0.5):
        scale = None if temperature is None else torch.full((n,), temperature)
        tokens, logps = draw(row.expand(n, -1), scale, turn_seed(list(range(n))))
        expected = (row / (temperature or 1)).double().softmax(-1) * n
        counted = torch.bincount(tokens, minlength=30)
        often = expected >= 5
        statistic = ((counted - expected) ** 2 / expected)[often].sum()
        freedom = int(often.sum()) - 1
        assert statistic < freedom + 5 * (2 * freedom) ** 0.5
        assert torch.allclose(logps, (row / (temperature or 1)).log_softmax(-1)[tokens], atol=1e-6)


def test_temperature_0_takes_the_likeliest_token_beside_rows_that_are_sampled() -> None:
    torch.manual_seed(1)
    logits = torch.randn(200, 12)
    temperature = torch.tensor([0.0, 1.0] * 100)
    tokens, logps = draw(logits, temperature, turn_seed(list(range(200))))
    assert torch.equal(tokens[::2], logits[::2].argmax(-1))
    assert not torch.equal(tokens[1::2], logits[1::2].argmax(-1))
    assert torch.allclose(logps, logits.log_softmax(-1).gather(1, tokens[:, None])[:, 0])


def test_an_impossible_token_is_never_drawn() -> None:
    low = -torch.inf
    logits = torch.tensor([[low, 0.0, low, 0.0, low]]).expand(3, -1)
    edges = torch.tensor([0.0, 0.5, 1 - 2.0**-53], dtype=torch.float64)
    tokens, logps = draw(logits, None, edges)
    assert tokens.tolist() == [1, 3, 3]
    assert torch.allclose(logps, torch.tensor(0.5).log())


def test_logits_that_are_not_finite_give_a_log_probability_that_is_not() -> None:
    _, logps = draw(torch.tensor([[0.0, torch.nan, 1.0], [0.0, 0.0, 0.0]]), None, turn_seed([1, 2]))
    assert logps.isfinite().tolist() == [False, True]

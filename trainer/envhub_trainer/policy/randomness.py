"""Per-request randomness: counter-based uniforms and sampling with them.

The uniform of a request's ``i``-th token is a function of its seed and ``i`` alone, so a completion does not depend on the
rest of the batch, its slot or the time of its admission. A token is drawn by inverting the distribution function in float64::

    tokens, logps = draw(logits, temperature, uniforms(seeds, counts))
"""

from __future__ import annotations

import torch
from torch import Tensor

_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def _signed(word: int) -> int:
    """The int64 with the same 64 bits: torch lacks uint64 arithmetic."""
    return word - (1 << 64) if word >> 63 else word


def _shift(words: Tensor, bits: int) -> Tensor:
    """Logical right shift; torch's own shift of an int64 repeats the sign."""
    return (words >> bits) & ((1 << (64 - bits)) - 1)


def mix(words: Tensor) -> Tensor:
    """SplitMix64's finaliser, a bijection of 64-bit words.

    Steele, Lea and Flood 2014, variant 13 of Stafford.

    Args:
        words: Any shape, int64; the sign bit is an ordinary bit.
    """
    words = (words ^ _shift(words, 30)) * _signed(_FIRST)
    words = (words ^ _shift(words, 27)) * _signed(_SECOND)
    return words ^ _shift(words, 31)


def uniforms(seeds: Tensor, counts: Tensor) -> Tensor:
    """Uniforms on [0, 1), multiples of 2**-53, from SplitMix64.

    Each is the ``counts``-th output from the mixed seed.

    The seed is mixed first, so that seeds a multiple of the generator's increment apart do not share a sequence.

    Args:
        seeds: ``(n,)`` int64.
        counts: ``(n,)`` int64, number of uniforms drawn before from each seed.

    Returns:
        ``(n,)`` float64.
    """
    start = mix(seeds + _signed(_GAMMA))
    return _shift(mix(start + (counts + 1) * _signed(_GAMMA)), 11).double() * 2.0**-53


def draw(logits: Tensor, temperature: Tensor | None, uniform: Tensor) -> tuple[Tensor, Tensor]:
    """Draw one token per row by inverse transform sampling.

    Args:
        logits: ``(n, V)`` float32.
        temperature: ``(n,)`` float32; 0 takes the likeliest token, whose log-probability is then at temperature 1. None means
            1 everywhere.
        uniform: ``(n,)`` float64 on [0, 1).

    Returns:
        Tokens ``(n,)`` int64 and their log-probabilities ``(n,)`` float32. A token whose probability is 0 is never drawn. Where
        a row's logits are not finite, the log-probability is not either.
    """
    if temperature is not None:
        greedy = temperature == 0
        logits = logits / torch.where(greedy, 1.0, temperature)[:, None]
    logps = logits.log_softmax(-1)
    cumulative = logps.exp().cumsum(-1, dtype=torch.float64)
    total = cumulative[:, -1:]
    # Below the total even if the product rounds up to it, so that the first token above it has a positive probability.
    threshold = torch.minimum(uniform[:, None] * total, torch.nextafter(total, torch.zeros_like(total)))
    tokens = torch.searchsorted(cumulative, threshold, right=True).clamp(max=logits.shape[-1] - 1)
    if temperature is not None:
        tokens = torch.where(greedy[:, None], logits.argmax(-1, keepdim=True), tokens)
    return tokens[:, 0], logps.gather(-1, tokens)[:, 0]

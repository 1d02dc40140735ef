"""A trader who infers the other's values from its offers and answers.

:func:`guesses` samples values of the other that agree with the history; :func:`best_offer` is the offer with the
greatest expected lead, counted up to the required lead, if the other accepts every offer it gains from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream

Values = tuple[int, ...]
_WANTED: Final = 40
_TRIED: Final = 600


class Deal(NamedTuple):
    """A trade as one trader sees it.

    Goods and amounts given and received.
    """

    out: int
    give: int
    into: int
    get: int

    def gain(self, values: Sequence[int]) -> int:
        """The gain of a trader with these values."""
        return values[self.get] * self.into - values[self.give] * self.out


def guesses(
    bounds: Sequence[tuple[int, int]], taken: Sequence[Deal], refused: Sequence[Deal], rng: Stream
) -> list[Values]:
    """Sample the other trader's values, consistent with its gains and losses.

    Args:
        bounds: Least and greatest value of each good.
        taken: Trades, as the other sees them, by which it gains.
        refused: Trades, as the other sees them, by which it does not.
        rng: The source of randomness.
    """
    found, any_values = list[Values](), list[Values]()
    for _ in range(_TRIED):
        values = tuple(rng.between(low, high) for low, high in bounds)
        any_values.append(values)
        if all(deal.gain(values) > 0 for deal in taken) and all(deal.gain(values) <= 0 for deal in refused):
            found.append(values)
            if len(found) == _WANTED:
                break
    return found or any_values[:_WANTED]


def best_offer(
    mine: Sequence[int], stocks: tuple[Sequence[int], Sequence[int]], others: Sequence[Values], wanted: Sequence[float]
) -> tuple[Deal, float] | None:
    """The offer with the greatest expected lead, and that lead.

    None if not positive. The lead of a trade grows with its size, so one side always gives all it has of a good.

    Args:
        mine: Own values.
        stocks: Own pieces of each good, and the other's.
        others: Possible values of the other.
        wanted: For each of them the lead still needed; any excess is ignored.
    """
    best, most = None, 0.0
    for deal in _large(*stocks):
        own = deal.gain(mine)
        leads = (
            min(own + lost, want)
            for values, want in zip(others, wanted, strict=True)
            if (lost := deal.gain(values)) < 0
        )
        lead = sum(leads) / len(others)
        if lead > most:
            best, most = deal, lead
    return None if best is None else (best, most)


def _large(mine: Sequence[int], theirs: Sequence[int]) -> Iterator[Deal]:
    for give, held in enumerate(mine):
        for get, there in enumerate(theirs):
            if give != get and held and there:
                yield from (Deal(out, give, there, get) for out in range(1, held + 1))
                yield from (Deal(held, give, into, get) for into in range(1, there))

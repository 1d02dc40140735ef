"""Offers, users' tastes, and the fewest questions that find the best offer.

A user has one of three tastes of each feature: none, or one of two that are public. :func:`questions_needed` is the exact
minimum, over all strategies, of the questions needed in the worst case until one offer is the best whatever the other
answers are::

    market = draw_market(rng, "flight", features=4, idle=1, offers=6)
    questions_needed(market)
    best_question(market, {"stops": 1})          # the next one of an optimal strategy; None if no more is needed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import product
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.tools.recommend.bank import BANK, PRICES, UNITS

TASTES: Final = 3
_STEPS: Final = (1, 3, 4, 8)
_SPREAD: Final = 12

Known = tuple[int | None, ...]


class Market(NamedTuple):
    """What is on offer.

    Attributes:
        thing: ``flight``, ``flat`` or ``laptop``.
        features: Names of the features, in order.
        units: Dollars of the two tastes of each feature.
        offers: Levels of each offer, by feature.
        prices: Prices of the offers.
    """

    thing: str
    features: tuple[str, ...]
    units: tuple[tuple[int, int], ...]
    offers: tuple[tuple[int, ...], ...]
    prices: tuple[int, ...]

    def penalties(self, feature: int, taste: int) -> tuple[int, ...]:
        """Dollars per level of a feature, for a taste; 0 means indifference."""
        levels = BANK[self.thing][self.features[feature]].levels
        if taste == 0:
            return (0,) * len(levels)
        unit = self.units[feature][taste - 1]
        return tuple(unit * times for times in BANK[self.thing][self.features[feature]].tastes[taste - 1][1])

    def costs(self, tastes: tuple[int, ...]) -> list[int]:
        """Price plus penalties of every offer."""
        found = list(self.prices)
        for feature, taste in enumerate(tastes):
            penalties = self.penalties(feature, taste)
            for offer, levels in enumerate(self.offers):
                found[offer] += penalties[levels[feature]]
        return found


def draw_market(rng: Stream, thing: str, features: int, idle: int, offers: int) -> Market:
    """Offers priced near what their features are worth.

    Args:
        rng: Source of randomness.
        thing: A key of the bank.
        features: Number of features, those in which all offers agree included.
        idle: Number of features in which all offers agree, so that nobody needs to ask about them.
        offers: Number of offers.
    """
    names = tuple(rng.sample(list(BANK[thing]), features))
    unit = UNITS[thing]
    units = []
    for _ in names:
        one, two = sorted(rng.sample(_STEPS, 2))
        units.append((unit * one, unit * two))
    agreed = {
        feature: rng.below(len(BANK[thing][names[feature]].levels)) for feature in rng.sample(range(features), idle)
    }
    rows: dict[tuple[int, ...], int] = {}
    while len(rows) < offers:
        levels = tuple(agreed.get(at, rng.below(len(BANK[thing][name].levels))) for at, name in enumerate(names))
        worth = sum(
            sum(tuple(unit * times for times in BANK[thing][name].tastes[at][1])[level] for at, unit in enumerate(pair))
            // 3
            for name, pair, level in zip(names, units, levels, strict=True)
        )
        rows.setdefault(levels, PRICES[thing] + unit * 6 * features - worth + unit * rng.below(_SPREAD) // 2)
    return Market(thing, names, tuple(units), tuple(rows), tuple(rows.values()))


class Search:
    """Exact search for the fewest questions. Use :func:`search_of`, which keeps recent ones."""

    def __init__(self, market: Market) -> None:
        self._market = market
        count = len(market.features)
        self._table = [
            [[market.penalties(feature, taste)[levels[feature]] for levels in market.offers] for taste in range(TASTES)]
            for feature in range(count)
        ]
        self._idle = {feature for feature in range(count) if len({levels[feature] for levels in market.offers}) == 1}
        self._memo: dict[Known, int] = {}

    def settled(self, known: Known) -> int | None:
        """The offer that is best whatever remains unknown, if any."""
        prices = list(self._market.prices)
        free = []
        for feature, taste in enumerate(known):
            if taste is None:
                free.append(self._table[feature])
            else:
                row = self._table[feature][taste]
                prices = [price + penalty for price, penalty in zip(prices, row, strict=True)]
        best = min(range(len(prices)), key=prices.__getitem__)  # the best for those who do not care about the rest
        for other, price in enumerate(prices):
            worst = prices[best] - price
            for rows in free:
                worst += max(row[best] - row[other] for row in rows)
            if worst > 0:
                return None
        return best

    def depth(self, known: Known) -> int:
        """Questions needed in the worst case."""
        found = self._memo.get(known)
        if found is None:
            found = 0 if self.settled(known) is not None else 1 + min(self.after(known, at) for at in self.open(known))
            self._memo[known] = found
        return found

    def after(self, known: Known, feature: int) -> int:
        """Questions needed in the worst case after asking about a feature."""
        return max(self.depth((*known[:feature], taste, *known[feature + 1 :])) for taste in range(TASTES))

    def open(self, known: Known) -> list[int]:
        """The features not yet asked about in which offers differ."""
        return [feature for feature, taste in enumerate(known) if taste is None and feature not in self._idle]

    @cached_property
    def shares(self) -> list[float]:
        """Each offer's share of the users who like it best, descending."""
        market = self._market
        won = Counter[int]()
        choices = [(0,) if feature in self._idle else range(TASTES) for feature in range(len(market.features))]
        for tastes in product(*choices):
            costs = market.costs(tastes)
            least = min(costs)
            won.update(offer for offer, cost in enumerate(costs) if cost == least)
        users = TASTES ** (len(market.features) - len(self._idle))
        return sorted((count / users for count in won.values()), reverse=True)


@lru_cache(maxsize=32)
def search_of(market: Market) -> Search:
    """The search of a market."""
    return Search(market)


def questions_needed(market: Market) -> int:
    """Questions that the best strategy needs in the worst case."""
    return search_of(market).depth((None,) * len(market.features))


def best_question(market: Market, heard: Mapping[str, int]) -> int | None:
    """An optimal strategy's next feature; None once an offer is settled."""
    search = search_of(market)
    known = tuple(heard.get(name) for name in market.features)
    if search.settled(known) is not None:
        return None
    return min(search.open(known), key=lambda feature: (search.after(known, feature), feature))

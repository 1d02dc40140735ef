"""What an instruction asks for, and which products of a shop fit.

A goal names a kind of goods, attributes, the values of options and perhaps a price bound. It may also ask for the
cheapest or the best rated of the products that fit::

    goal = draw_goal(rng, shop, Wish(attributes=2, options=1, fitting=(1, 5)))
    fitting(shop, goal)       # every product that is right
"""

from __future__ import annotations

from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.webshop.catalogue import Product, Shop

ANY, CHEAPEST, RATED = "any", "cheapest", "rated"
_TRIES: Final = 40
_STEP: Final = 1000


class Wish(NamedTuple):
    """What a drawn goal must be like.

    Attributes:
        attributes: Number of attributes.
        options: Number of options.
        fitting: Fewest and most products that match before ``pick`` is applied.
        pick: Which of the products that match is right.
        bounded: Whether there is a price bound.
    """

    attributes: int
    options: int
    fitting: tuple[int, int]
    pick: str = ANY
    bounded: bool = True


class Goal(NamedTuple):
    """What to buy; prices in cents.

    Attributes:
        kind: The kind of goods.
        attributes: What it must be.
        options: Value of each option that must be chosen.
        most: Highest price with the chosen options; None if there is no bound.
        pick: ``any``, ``cheapest`` or ``rated``: which of the products that match is right.
    """

    kind: str
    attributes: list[str]
    options: dict[str, str]
    most: int | None
    pick: str

    def to_json(self) -> dict[str, JSON]:
        """All fields by name."""
        return self._asdict()


def draw_goal(rng: Stream, shop: Shop, wish: Wish, kinds: list[str]) -> tuple[Goal, Product] | None:
    """A goal for one of some kinds, and one product that fits.

    None if none was found.
    """
    for _ in range(_TRIES):
        product = rng.choice(shop.by_kind[rng.choice(kinds)])
        attributes = sorted(rng.sample(product.attributes, wish.attributes))
        groups = rng.sample(list(product.options), wish.options)
        options = {group: rng.choice(list(product.options[group])) for group in sorted(groups)}
        steps = product.price(options) // _STEP + 1 + rng.below(2)
        goal = Goal(product.kind, attributes, options, steps * _STEP if wish.bounded else None, wish.pick)
        some = matching(shop, goal)
        if wish.fitting[0] <= len(some) <= wish.fitting[1]:
            return goal, rng.choice(picked(some, goal))
    return None


def matching(shop: Shop, goal: Goal) -> list[Product]:
    """The products that have the attributes and options within the price bound."""
    wanted = set(goal.attributes)
    return [
        product
        for product in shop.by_kind[goal.kind]
        if wanted.issubset(product.attributes)
        and all(value in product.options.get(group, ()) for group, value in goal.options.items())
        and (goal.most is None or product.price(goal.options) <= goal.most)
    ]


def picked(some: list[Product], goal: Goal) -> list[Product]:
    """Those of the matching products that the goal prefers."""
    if goal.pick == CHEAPEST:
        least = min((product.price(goal.options) for product in some), default=0)
        return [product for product in some if product.price(goal.options) == least]
    if goal.pick == RATED:
        best = max((product.rating for product in some), default=0)
        return [product for product in some if product.rating == best]
    return some


def fitting(shop: Shop, goal: Goal) -> list[Product]:
    """Every product that is right for a goal."""
    return picked(matching(shop, goal), goal)

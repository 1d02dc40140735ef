"""The goods of a shop, drawn from its number, and their search.

A shop is drawn once per process and shared by all tasks that use it::

    shop = shop_of(store=2, goods=3000)
    shop.search("waterproof trail running shoes")     # numbers of at most 50 products, best first
    shop.products[17].title
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.tools.webshop.bank import BRANDS, DEPARTMENTS
from envhub.generators.retrieval import Document, Index

FOUND: Final = 50
"""Maximum number of search results."""
_REMEMBERED: Final = 256
_CODE: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_LETTERS: Final = "0123456789BCDFGHJKLMNPQRSTVWXYZ"
_SECTIONS: Final = {name: kinds.kinds for name, kinds in DEPARTMENTS.items()}
_PRAISE: Final = (
    "Exactly what I needed.",
    "Arrived on time and well packed.",
    "I have bought it twice already.",
    "Good value for the money.",
    "My sister wants one as well.",
)
_BLAME: Final = (
    "The box was damaged when it came.",
    "It took three weeks to arrive.",
    "Not what I had hoped for.",
    "I expected more for this price.",
    "I sent it back after a week.",
)


class Product(NamedTuple):
    """One product.

    Attributes:
        number: Its place in the catalogue.
        asin: The ten characters that identify it on the pages.
        brand: Its brand.
        model: Its model code, which no other product of the shop has.
        department: Name of its department.
        kind: What it is, such as ``canvas sneakers``.
        attributes: Its five attributes: the title names the first three, the description the others.
        options: Values of each option with their surcharges in cents.
        cents: Price without surcharges.
        rating: Average rating in tenths of a star.
    """

    number: int
    asin: str
    brand: str
    model: str
    department: str
    kind: str
    attributes: tuple[str, ...]
    options: dict[str, dict[str, int]]
    cents: int
    rating: int

    @property
    def title(self) -> str:
        """Brand, model, name and three attributes."""
        return f"{self.brand} {self.model} {self.kind.title()}, {', '.join(self.titled)}"

    @property
    def titled(self) -> tuple[str, ...]:
        """The attributes that the title names."""
        return self.attributes[:3]

    @property
    def stars(self) -> str:
        """Its rating: ``4.3 of 5 stars``."""
        return f"{self.rating // 10}.{self.rating % 10} of 5 stars"

    @property
    def features(self) -> list[str]:
        """One line for each attribute, in alphabetical order."""
        return sorted(self.attributes)

    @property
    def description(self) -> str:
        """A few sentences about it."""
        return (
            f"{self.kind.capitalize()} by {self.brand}, from our {self.department} department. "
            f"Customers like these features: {self.attributes[3]}, {self.attributes[4]}."
        )

    def price(self, chosen: dict[str, str]) -> int:
        """Price in cents with the chosen values."""
        return self.cents + sum(self.options[group][value] for group, value in chosen.items())

    def reviews(self) -> list[str]:
        """Three reviews; they say nothing about attributes."""
        rng = Stream(b"webshop-v0 reviews", self.asin)
        stars = [min(5, max(1, round(self.rating / 10) + rng.between(-1, 1))) for _ in range(3)]
        return [f"{star} of 5 stars. {rng.choice(_PRAISE if star > 3 else _BLAME)}" for star in stars]


class Shop:
    """A catalogue and its search.

    Args:
        products: In catalogue order.
    """

    def __init__(self, products: list[Product]) -> None:
        self.products = products
        self.by_asin = {product.asin: product for product in products}
        self.by_kind: dict[str, list[Product]] = {}
        for product in products:
            self.by_kind.setdefault(product.kind, []).append(product)
        self._found = lru_cache(maxsize=_REMEMBERED)(self._rank)  # a page of results is shown again and again

    @cached_property
    def _index(self) -> Index:
        return Index([Document(str(product.number), product.title, product.description) for product in self.products])

    def search(self, query: str) -> tuple[int, ...]:
        """Numbers of at most 50 products by BM25, best first.

        Titles and descriptions are searched, so a product is found by its attributes, but not by its options.
        """
        return self._found(query)

    def _rank(self, query: str) -> tuple[int, ...]:
        return tuple(int(found.id) for found in self._index.search(query, FOUND))


@lru_cache(maxsize=8)
def shop_of(store: int, goods: int) -> Shop:
    """The shop of a number with a number of goods."""
    rng = Stream(b"webshop-v0 store", store, goods)
    codes = rng.sample(range(1000, 10_000), goods)
    asins = rng.sample(range(len(_LETTERS) ** 4), goods)
    kinds = [(department, kind) for department, some in _SECTIONS.items() for kind in some]
    return Shop([_product(rng, n, codes[n], asins[n], *kinds[n % len(kinds)]) for n in range(goods)])


def _product(rng: Stream, number: int, code: int, identity: int, department: str, kind: str) -> Product:
    bank = DEPARTMENTS[department]
    low, high = bank.prices
    digits = [_LETTERS[identity // len(_LETTERS) ** place % len(_LETTERS)] for place in range(4)]
    return Product(
        number,
        f"B0{''.join(digits)}{code}",
        rng.choice(BRANDS),
        f"{rng.choice(_CODE)}{code}",
        department,
        kind,
        tuple(rng.sample(bank.attributes, 5)),
        {group: _offered(rng, values) for group, values in bank.options.items()},
        100 * rng.between(low, high) + rng.choice((0, 49, 90, 99)),
        rng.between(28, 49),
    )


def _offered(rng: Stream, values: tuple[str, ...]) -> dict[str, int]:
    """About two thirds of the values, each with a surcharge."""
    offered = set(rng.sample(values, len(values) - len(values) // 3))
    return {value: 100 * max(0, rng.between(-4, 6)) for value in values if value in offered}

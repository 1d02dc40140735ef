"""What a company's pages are about: people, goods and orders.

No two people share a name, office or phone, no two goods a name or price, no two goods of a kind a rating, and no two
orders a delivery date, so a description of one of them fits no other::

    company = company_of(number=7, people=20, goods=90, orders=10)
    company.people[3].deputy          # number of another person
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.values import FIRST, LAST

TODAY: Final = date(2031, 5, 14)
KINDS: Final = (
    "desk lamp",
    "office chair",
    "bookshelf",
    "monitor arm",
    "keyboard",
    "headset",
    "whiteboard",
    "footrest",
    "filing cabinet",
    "desk fan",
    "coat stand",
    "label printer",
    "paper shredder",
    "wall clock",
    "laptop stand",
    "plant pot",
)
COLOURS: Final = ("black", "white", "grey", "green", "blue")
DEPARTMENTS: Final = ("Accounting", "Design", "Legal", "Logistics", "Research", "Sales")
OPEN: Final = "open"
STATUSES: Final = (OPEN, "shipped", "delivered", "cancelled")
_BRANDS: Final = ("Norvik", "Halden", "Estrel", "Kompa", "Ligna", "Ortega", "Pallas", "Runde")
_LETTERS: Final = "ABCDEFGHKLMNPRSTUVWXYZ"
_LEAST_CENTS, _MOST_CENTS = 900, 39_900
_RATINGS: Final = range(21, 50)
_FIRST_ORDER: Final = 4001
_HORIZON: Final = 90
"""Working days in which orders are delivered."""


class Person(NamedTuple):
    """A person; the deputy is the number of another."""

    name: str
    department: str
    office: str
    phone: str
    cost_centre: str
    deputy: int


class Good(NamedTuple):
    """An article. The rating is in tenths of a star."""

    name: str
    kind: str
    colour: str
    cents: int
    rating: int


class Order(NamedTuple):
    """An order of one or more goods for a person.

    Attributes:
        lines: Numbers of goods with quantities, sorted.
        person: Number of the recipient.
        cost_centre: What is charged.
        day: Delivery date in ISO format.
        express: Whether it is delivered by express.
        status: One of ``STATUSES``.
    """

    lines: tuple[tuple[int, int], ...]
    person: int
    cost_centre: str
    day: str
    express: bool
    status: str


class Company(NamedTuple):
    """All records at the beginning; the first person is the user."""

    people: list[Person]
    goods: list[Good]
    orders: dict[int, Order]


@lru_cache(maxsize=32)
def company_of(number: int, people: int, goods: int, orders: int) -> Company:
    """The company drawn from a number, with records of this size."""
    rng = Stream(b"browse-v1 company", number, people, goods, orders)
    staff = _people(rng, people)
    articles = _goods(rng, goods)
    days = rng.sample(list(working_days(_HORIZON)), orders)
    made = {}
    for order, day in enumerate(days, _FIRST_ORDER):
        person = rng.below(people)
        line = (rng.below(goods), rng.between(1, 9))
        status = OPEN if order == _FIRST_ORDER else rng.choice((OPEN, *STATUSES))
        made[order] = Order((line,), person, staff[person].cost_centre, day, rng.below(4) == 0, status)
    return Company(staff, articles, made)


def working_days(count: int) -> Iterator[str]:
    """The next working days, in ISO format."""
    day = TODAY
    while count:
        day += timedelta(days=1)
        if day.weekday() < 5:
            count -= 1
            yield day.isoformat()


def euros(cents: int) -> str:
    """An amount as pages and tasks show it."""
    return f"{cents // 100}.{cents % 100:02d} EUR"


def stars(rating: int) -> str:
    """A rating as pages show it."""
    return f"{rating // 10}.{rating % 10}"


def _people(rng: Stream, count: int) -> list[Person]:
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], count)
    offices = rng.sample([f"{floor}.{room:02d}" for floor in range(1, 7) for room in range(1, 41)], count)
    phones = rng.sample(range(1000, 9999), count)
    centres = rng.sample(range(1000, 9999), count)
    ring = rng.sample(range(count), count)
    after = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return [
        Person(names[n], rng.choice(DEPARTMENTS), offices[n], str(phones[n]), f"CC-{centres[n]}", after[n])
        for n in range(count)
    ]


def _goods(rng: Stream, count: int) -> list[Good]:
    codes, cents = rng.sample(range(100, 1000), count), rng.sample(range(_LEAST_CENTS, _MOST_CENTS), count)
    ratings = {kind: rng.sample(_RATINGS, len(_RATINGS)) for kind in KINDS}
    found = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        name = f"{rng.choice(_BRANDS)} {kind} {rng.choice(_LETTERS)}{codes[number]}"
        found.append(Good(name, kind, rng.choice(COLOURS), cents[number], ratings[kind][number // len(KINDS)]))
    return found

"""Customers, dates and codes that every domain draws."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.service.cases import Draft, Tables

TODAY: Final = date(2031, 5, 14)
_GIVEN: Final = ("Ada", "Bruno", "Carla", "Derek", "Elif", "Farid", "Gwen", "Hugo", "Irene", "Jonas", "Keiko", "Lars")
_FAMILY: Final = ("Abbott", "Berger", "Castro", "Dahl", "Eriksen", "Fontaine", "Gupta", "Haas", "Ito", "Jansen", "Kaya")


def days_ago(days: int) -> str:
    """A date before today, or after it if negative, as text."""
    return (TODAY - timedelta(days=days)).isoformat()


class Domain(NamedTuple):
    """What a domain draws.

    Attributes:
        draw: A policy, one customer with records, and requests.
        customer: The field of a customer that only this domain has, with its values.
        row: A record of a customer.
        id: An id of a record.
    """

    draw: Callable[[Stream, int, int], Draft]
    customer: tuple[str, tuple[str, ...]]
    row: Callable[[Stream, str], dict[str, JSON]]
    id: Callable[[Stream], str]


def draw_customer(rng: Stream, field: tuple[str, tuple[str, ...]]) -> tuple[str, dict[str, JSON]]:
    """A customer with the field of a domain, and the customer's number."""
    row = {
        "name": f"{rng.choice(_GIVEN)} {rng.choice(_FAMILY)}",
        "postcode": str(rng.between(10_000, 99_999)),
        field[0]: rng.choice(field[1]),
    }
    return f"C{rng.between(1000, 9999)}", row


def with_others(rng: Stream, domain: Domain, tables: Tables, table: str, count: int) -> Tables:
    """The tables with records of other customers, in any order."""
    customers = dict(tables["customers"])
    for _ in range(1 + count // 4):
        number, customer = draw_customer(rng, domain.customer)
        customers.setdefault(number, customer)
    (own,) = tables["customers"]
    rows = dict(tables[table])
    others = [number for number in customers if number != own]
    while others and len(rows) < len(tables[table]) + count:
        rows.setdefault(domain.id(rng), domain.row(rng, rng.choice(others)))
    shuffled = {id: rows[id] for id in rng.sample(list(rows), len(rows))}
    return {**tables, "customers": customers, table: shuffled}


def distinct(rng: Stream, draw: Callable[[Stream], str], count: int) -> list[str]:
    """Different texts."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[draw(rng)] = None
    return list(found)


def draw_limit(rng: Stream, amount: int, declines: int) -> int:
    """The most that a user agrees to pay.

    Args:
        rng: The source of the draw.
        amount: The amount by the policy.
        declines: In how many of 100 cases the limit is below the amount.
    """
    if amount > 0 and rng.below(100) < declines:
        return amount - 1 - rng.below(max(1, amount // 2))
    return amount + 5 + rng.below(40)

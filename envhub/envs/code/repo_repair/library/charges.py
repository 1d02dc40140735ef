"""What a list of records costs."""

from __future__ import annotations

from typing import Any

from envhub.envs.code.repo_repair.library.settings import DAY_CAP


def price_of(record: dict[str, Any], earlier: int) -> int:
    """Replaced by the drawn rules of an application."""
    return int(record["amount"]) + earlier


def earlier_counts(records: list[dict[str, Any]]) -> list[int]:
    """For each record, how many records of the same client stand before it in the list."""
    seen: dict[str, int] = {}
    counts = []
    for record in records:
        counts.append(seen.get(record["client"], 0))
        seen[record["client"]] = counts[-1] + 1
    return counts


def plain_charges(records: list[dict[str, Any]]) -> list[int]:
    """What each record costs in cents."""
    return [price_of(record, earlier) for record, earlier in zip(records, earlier_counts(records))]


def capped_charges(records: list[dict[str, Any]]) -> list[int]:
    """What each record costs in cents.

    All records of a client on one day together cost at most DAY_CAP: a record costs what is left of it.
    """
    spent: dict[tuple[str, int], int] = {}
    charges = []
    for record, price in zip(records, plain_charges(records)):
        key = (record["client"], record["day"])
        charges.append(min(price, DAY_CAP - spent.get(key, 0)))
        spent[key] = spent.get(key, 0) + charges[-1]
    return charges

"""Cases of customer service: records, requests and their right changes.

Records are tables of rows by id. They are values: :func:`changed` returns new tables. Every change is also an entry of
the ledger, so an amount that was charged or paid twice is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from envhub.core.types import JSON

Row = Mapping[str, JSON]
Tables = Mapping[str, Mapping[str, Row]]
AMOUNT: Final = {
    "cancel_booking": "refund",
    "change_date": "fee",
    "add_bags": "price",
    "compensate": "amount",
    "return_order": "refund",
    "exchange_order": "charge",
    "cancel_order": "refund",
    "change_address": "fee",
    "refuel_data": "price",
    "enable_roaming": "price",
    "resume_line": "charge",
}
"""The argument of each tool that states its amount in dollars."""
PAID_OUT: Final = frozenset({"cancel_booking", "compensate", "return_order", "cancel_order"})
"""Tools whose amount the customer receives."""

TABLE: Final = {"airline": "bookings", "shop": "orders", "telecom": "lines"}
"""The records of each domain that requests are about."""
_SUBJECTS: Final = ("code", "order", "number")
_EFFECTS: Final[dict[str, Callable[[Row, Row], dict[str, JSON]]]] = {
    "cancel_booking": lambda row, given: {"status": "cancelled"},
    "change_date": lambda row, given: {"date": given["date"]},
    "add_bags": lambda row, given: {"bags": row["bags"] + given["bags"]},
    "compensate": lambda row, given: {},
    "return_order": lambda row, given: {"status": "returned", "refunded_to": given["to"]},
    "exchange_order": lambda row, given: {"status": "exchanged", "color": given["color"]},
    "cancel_order": lambda row, given: {"status": "cancelled"},
    "change_address": lambda row, given: {"address": given["address"]},
    "refuel_data": lambda row, given: {"data_left": row["data_left"] + given["gigabytes"]},
    "enable_roaming": lambda row, given: {"roaming": "on"},
    "resume_line": lambda row, given: {"status": "active", "bill": 0},
}


class Request(NamedTuple):
    """One thing that the user wants.

    Attributes:
        kind: Its kind, such as ``cancel``.
        id: The booking, order or line that it is about.
        opening: How the user states it.
        answers: Answers to questions by topic.
        asks: Calls that would grant it, without their amounts.
        amounts: Their amounts by the policy; None if the policy does not allow the request.
        limit: The most that the user agrees to pay for one change.
        fix: Settings of the user's device that are wrong, with their right values.
    """

    kind: str
    id: str
    opening: str
    answers: dict[str, str]
    asks: list[list[Any]]
    amounts: list[int] | None
    limit: int
    fix: dict[str, str]

    @property
    def refused(self) -> bool:
        """Whether the policy does not allow it."""
        return self.amounts is None

    def quotes(self) -> list[int]:
        """Amounts that the user must be told."""
        return list(self.amounts or ())

    def accepts(self, name: str, amount: int) -> bool:
        """Whether the user agrees to a call with an amount."""
        return name in PAID_OUT or amount <= self.limit

    def changes(self) -> list[tuple[str, dict[str, JSON]]]:
        """The calls that the policy allows and the user agrees to."""
        pairs = zip(self.asks, self.amounts or (), strict=False)
        return [
            (name, {**arguments, AMOUNT[name]: amount})
            for (name, arguments), amount in pairs
            if self.accepts(name, amount)
        ]


class Draft(NamedTuple):
    """What a domain draws.

    Attributes:
        rules: The values of its policy.
        tables: The records.
        requests: What the user wants, in order.
        customer: Number of the customer.
        device: The settings of the user's device; empty without a device.
    """

    rules: dict[str, JSON]
    tables: dict[str, dict[str, dict[str, JSON]]]
    requests: list[Request]
    customer: str
    device: dict[str, str]


def subject(arguments: Row) -> str:
    """The id that a change is about."""
    return next(str(arguments[name]) for name in _SUBJECTS if name in arguments)


def changed(tables: Tables, table: str, name: str, arguments: Row) -> Tables:
    """The tables after a change of a row, with a ledger entry."""
    id = subject(arguments)
    row = tables[table][id]
    entry = {"what": name, "id": id, "amount": arguments[AMOUNT[name]]}
    ledger = {**tables["ledger"], str(len(tables["ledger"]) + 1): entry}
    rows = {**tables[table], id: {**row, **_EFFECTS[name](row, arguments)}}
    return {**tables, table: rows, "ledger": ledger}


def contents(tables: Tables) -> dict[str, list[JSON]]:
    """The records in a form that ignores the order of the ledger."""
    found: dict[str, list[JSON]] = {name: sorted(rows.items()) for name, rows in tables.items() if name != "ledger"}
    entries = tables["ledger"].values()
    found["ledger"] = sorted([row["what"], row["id"], row["amount"]] for row in entries)
    return found

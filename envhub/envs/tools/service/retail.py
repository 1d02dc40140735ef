"""The shop: returns, exchanges, cancellations and changes of address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.service.cases import Draft, Request, Row
from envhub.envs.tools.service.people import TODAY, Domain, days_ago, distinct, draw_customer, draw_limit

_CUSTOMER: Final = ("member", ("yes", "no"))
CATEGORIES: Final = ("electronics", "clothing", "kitchen", "toys")
ITEMS: Final = {
    "radio": "electronics",
    "headset": "electronics",
    "lamp timer": "electronics",
    "raincoat": "clothing",
    "scarf": "clothing",
    "sandals": "clothing",
    "teapot": "kitchen",
    "frying pan": "kitchen",
    "bread knife": "kitchen",
    "kite": "toys",
    "puzzle": "toys",
    "toy crane": "toys",
}
COLORS: Final = ("red", "green", "blue", "black", "white")
_STATUS: Final = ("pending", "packed", "shipped", "delivered")
STREETS: Final = ("Mill Lane", "Harbour Street", "Park Road", "Castle Hill", "Station Square")


def draw(rng: Stream, requests: int, declines: int) -> Draft:
    """A policy, a customer with orders, and requests about different ones."""
    rules = _rules(rng)
    number, customer = draw_customer(rng, _CUSTOMER)
    items = rng.sample(list(ITEMS), requests + 3)
    kinds = [rng.choice(list(_REQUESTS)) for _ in range(requests)]
    ids = distinct(rng, _id, len(items))
    rows = {
        id: _order(rng, number, item, kind) for id, item, kind in zip(ids, items, [*kinds, "", "", ""], strict=True)
    }
    wanted = [
        _REQUESTS[kind](rng, rules, id, rows[id], customer, declines) for kind, id in zip(kinds, ids, strict=False)
    ]
    return Draft(rules, {"customers": {number: customer}, "orders": rows, "ledger": {}}, wanted, number, {})


def _id(rng: Stream) -> str:
    return f"W-{rng.between(10_000, 99_999)}"


def _rules(rng: Stream) -> dict[str, JSON]:
    return {
        "window": {category: 5 * rng.between(2, 12) for category in CATEGORIES},
        "restocking": rng.choice((10, 15, 20, 25, 30)),
        "charge": rng.between(3, 15),
        "packing": rng.between(2, 12),
        "address": rng.between(2, 14),
    }


def _order(rng: Stream, customer: str, item: str = "", kind: str = "") -> dict[str, JSON]:
    """An order; one that is to be returned or exchanged was delivered."""
    item = item or rng.choice(list(ITEMS))
    status = "delivered" if kind in ("return", "exchange") else rng.choice(_STATUS)
    return {
        "customer": customer,
        "item": item,
        "category": ITEMS[item],
        "color": rng.choice(COLORS),
        "price": rng.between(8, 240),
        "status": status,
        "delivered": days_ago(rng.between(1, 60)) if status == "delivered" else "",
        "address": f"{rng.between(1, 90)} {rng.choice(STREETS)}",
    }


def in_window(rules: Row, row: Row) -> bool:
    """Whether an order was delivered recently enough to be returned."""
    if row["status"] != "delivered":
        return False
    return bool((TODAY - date.fromisoformat(row["delivered"])).days <= rules["window"][row["category"]])


def return_refund(rules: Row, row: Row, opened: bool) -> int | None:
    """Refund of a returned order; None if it cannot be returned."""
    if not in_window(rules, row):
        return None
    return int(row["price"] * (100 - (rules["restocking"] if opened else 0)) // 100)


def exchange_charge(rules: Row, row: Row, opened: bool, customer: Row) -> int | None:
    """Charge of an exchange; None if it is not possible."""
    if opened or not in_window(rules, row):
        return None
    return 0 if customer["member"] == "yes" else int(rules["charge"])


def cancel_refund(rules: Row, row: Row) -> int | None:
    """Refund of a cancelled order; None if it is too late."""
    if row["status"] == "pending":
        return int(row["price"])
    return max(0, int(row["price"] - rules["packing"])) if row["status"] == "packed" else None


def address_fee(rules: Row, row: Row, customer: Row) -> int | None:
    """Fee for another address; None if it is too late."""
    if row["status"] == "pending" or (row["status"] == "packed" and customer["member"] == "yes"):
        return 0
    return int(rules["address"]) if row["status"] == "packed" else None


def _return(rng: Stream, rules: Row, id: str, row: Row, customer: Row, declines: int) -> Request:
    opened = bool(rng.below(2))
    amount = return_refund(rules, row, opened)
    answers = {"opened": _opened(opened), "which": f"The {row['item']}.", "reason": "I do not need it after all."}
    asks = [["return_order", {"order": id, "to": "credit" if opened else "card"}]]
    opening = f"I want to return the {row['item']} that I ordered."
    return Request("return", id, opening, answers, asks, None if amount is None else [amount], 0, {})


def _exchange(rng: Stream, rules: Row, id: str, row: Row, customer: Row, declines: int) -> Request:
    opened = rng.below(3) == 0
    amount = exchange_charge(rules, row, opened, customer)
    color = rng.choice([color for color in COLORS if color != row["color"]])
    answers = {"opened": _opened(opened), "color": f"I would like it in {color}.", "which": f"The {row['item']}."}
    asks = [["exchange_order", {"order": id, "color": color}]]
    opening = f"The {row['item']} that you sent has the wrong color. Can I exchange it?"
    amounts, limit = (None, 0) if amount is None else ([amount], draw_limit(rng, amount, declines))
    return Request("exchange", id, opening, answers, asks, amounts, limit, {})


def _cancel(rng: Stream, rules: Row, id: str, row: Row, customer: Row, declines: int) -> Request:
    amount = cancel_refund(rules, row)
    answers = {"which": f"The {row['item']}.", "reason": "I have found it cheaper elsewhere."}
    opening = f"Please cancel my order of the {row['item']}."
    asks = [["cancel_order", {"order": id}]]
    return Request("cancel", id, opening, answers, asks, None if amount is None else [amount], 0, {})


def _address(rng: Stream, rules: Row, id: str, row: Row, customer: Row, declines: int) -> Request:
    amount = address_fee(rules, row, customer)
    new = f"{rng.between(91, 199)} {rng.choice(STREETS)}"
    answers = {"address": f"Please send it to {new}.", "which": f"The {row['item']}."}
    asks = [["change_address", {"order": id, "address": new}]]
    opening = f"I have moved. Can you send the {row['item']} to another address?"
    amounts, limit = (None, 0) if amount is None else ([amount], draw_limit(rng, amount, declines))
    return Request("address", id, opening, answers, asks, amounts, limit, {})


def _opened(opened: bool) -> str:
    return "Yes, I have opened it." if opened else "No, it is still sealed."


_REQUESTS: Final[dict[str, Callable[..., Request]]] = {
    "return": _return,
    "exchange": _exchange,
    "cancel": _cancel,
    "address": _address,
}
SHOP: Final = Domain(draw, _CUSTOMER, _order, _id)

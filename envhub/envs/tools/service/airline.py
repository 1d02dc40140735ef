"""The airline: cancellations, changes of date, bags and compensation for delays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.service.cases import Draft, Request, Row
from envhub.envs.tools.service.people import TODAY, Domain, days_ago, distinct, draw_customer, draw_limit

CITIES: Final = (
    "Oslo",
    "Lisbon",
    "Vienna",
    "Dublin",
    "Athens",
    "Warsaw",
    "Malta",
    "Bergen",
    "Seville",
    "Turin",
    "Cork",
)
_CABINS: Final = ("basic", "economy", "business")
_LEVELS: Final = ("regular", "silver", "gold")
_CUSTOMER: Final = ("level", _LEVELS)
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_REASONS: Final = {"illness": "I have fallen ill.", "plans": "My plans have changed.", "work": "I have to work."}


def draw(rng: Stream, requests: int, declines: int) -> Draft:
    """A policy, a customer with bookings, and requests about different ones."""
    rules = _rules(rng)
    number, customer = draw_customer(rng, _CUSTOMER)
    cities = rng.sample(CITIES, requests + 3)
    rows = {
        code: _booking(rng, number, city) for code, city in zip(distinct(rng, _code, len(cities)), cities, strict=True)
    }
    wanted = [
        _REQUESTS[rng.choice(list(_REQUESTS))](rng, rules, code, rows[code], customer, declines)
        for code in rng.sample(list(rows), requests)
    ]
    return Draft(rules, {"customers": {number: customer}, "bookings": rows, "ledger": {}}, wanted, number, {})


def _code(rng: Stream) -> str:
    """A booking code: two letters and four digits."""
    return f"{rng.choice(_LETTERS)}{rng.choice(_LETTERS)}{rng.between(1000, 9999)}"


def _rules(rng: Stream) -> dict[str, JSON]:
    return {
        "days": rng.between(1, 4),
        "percent": rng.choice((30, 40, 50, 60, 70, 80)),
        "fee": 5 * rng.between(4, 18),
        "free": [rng.between(0, 1), rng.between(1, 2), rng.between(2, 4)],
        "bag": rng.between(15, 60),
        "hours": rng.between(2, 5),
        "delay": 10 * rng.between(4, 20),
    }


def _booking(rng: Stream, customer: str, city: str = "") -> dict[str, JSON]:
    return {
        "customer": customer,
        "to": city or rng.choice(CITIES),
        "date": days_ago(-rng.between(5, 60)),
        "booked": days_ago(rng.choice((0, 1, 2, 3, 4, 5, 6, 20, 33))),
        "cabin": rng.choice(_CABINS),
        "insured": rng.choice(("yes", "no")),
        "passengers": rng.between(1, 4),
        "price": rng.between(60, 900),
        "bags": rng.between(0, 3),
        "delay_hours": rng.between(0, 8),
        "status": "booked",
    }


def refund(rules: Row, row: Row, reason: str) -> int | None:
    """Refund of a cancelled booking; None if it cannot be cancelled."""
    recent = (TODAY - date.fromisoformat(row["booked"])).days <= rules["days"]
    if recent or row["cabin"] == "business" or (row["insured"] == "yes" and reason == "illness"):
        return int(row["price"])
    return int(row["price"] * rules["percent"] // 100) if row["cabin"] == "economy" else None


def date_fee(rules: Row, row: Row, customer: Row) -> int | None:
    """Fee for another date; None if the date cannot be changed."""
    if row["cabin"] == "basic":
        return None
    if row["cabin"] == "business":
        return 0
    return int(rules["fee"]) // (2 if customer["level"] == "gold" else 1)


def bags_price(rules: Row, row: Row, customer: Row, more: int) -> int:
    """Price of more bags: those beyond the free ones."""
    free = rules["free"][_LEVELS.index(customer["level"])]
    return int(rules["bag"] * (max(0, row["bags"] + more - free) - max(0, row["bags"] - free)))


def compensation(rules: Row, row: Row) -> int | None:
    """Compensation for a delay; None if the policy gives nothing."""
    if row["delay_hours"] < rules["hours"] or row["cabin"] == "basic":
        return None
    return int(rules["delay"] * row["passengers"])


def _cancel(rng: Stream, rules: Row, code: str, row: Row, customer: Row, declines: int) -> Request:
    reason = rng.choice(list(_REASONS))
    amount = refund(rules, row, reason)
    opening = f"I would like to cancel my trip to {row['to']}."
    amounts = None if amount is None else [amount]
    answers = {"reason": _REASONS[reason], "which": f"My trip to {row['to']}."}
    return Request("cancel", code, opening, answers, [["cancel_booking", {"code": code}]], amounts, 0, {})


def _date(rng: Stream, rules: Row, code: str, row: Row, customer: Row, declines: int) -> Request:
    amount = date_fee(rules, row, customer)
    new = days_ago(-rng.between(61, 120))
    answers = {"date": f"I would like to fly on {new}.", "which": f"My trip to {row['to']}."}
    opening = f"I need another date for my flight to {row['to']}."
    amounts, limit = (None, 0) if amount is None else ([amount], draw_limit(rng, amount, declines))
    return Request("date", code, opening, answers, [["change_date", {"code": code, "date": new}]], amounts, limit, {})


def _bags(rng: Stream, rules: Row, code: str, row: Row, customer: Row, declines: int) -> Request:
    more = rng.between(1, 3)
    amount = bags_price(rules, row, customer, more)
    answers = {"bags": f"I need {more} more.", "which": f"My trip to {row['to']}."}
    opening = f"I want to take more bags on my flight to {row['to']}."
    asks: list[list[Any]] = [["add_bags", {"code": code, "bags": more}]]
    return Request("bags", code, opening, answers, asks, [amount], draw_limit(rng, amount, declines), {})


def _delay(rng: Stream, rules: Row, code: str, row: Row, customer: Row, declines: int) -> Request:
    amount = compensation(rules, row)
    opening = f"My flight to {row['to']} is delayed. I want compensation."
    answers = {"which": f"My trip to {row['to']}."}
    amounts = None if amount is None else [amount]
    return Request("delay", code, opening, answers, [["compensate", {"code": code}]], amounts, 0, {})


_REQUESTS: Final[dict[str, Callable[..., Request]]] = {
    "cancel": _cancel,
    "date": _date,
    "bags": _bags,
    "delay": _delay,
}
AIRLINE: Final = Domain(draw, _CUSTOMER, _booking, _code)

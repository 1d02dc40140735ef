"""What a record costs."""

from __future__ import annotations

from envhub.envs.code.repo_repair.library.days import is_weekend
from envhub.envs.code.repo_repair.library.money import percent_of
from envhub.envs.code.repo_repair.library.settings import (
    FULL_UNITS,
    LARGE,
    LARGE_PERCENT,
    LOW_RATE,
    LOYAL_AFTER,
    LOYAL_PERCENT,
    MINIMUM,
    RATE,
    SPECIAL,
    SPECIAL_FEE,
    STATUS_PERCENT,
    TAX_PERCENT,
    UNIT,
    WEEKEND_PERCENT,
)


def rounded_price(amount: int, rate: int) -> int:
    """The price of an amount at a rate for each UNIT of it, rounded to whole cents, halves up."""
    return (2 * amount * rate + UNIT) // (2 * UNIT)


def linear_price(amount: int) -> int:
    """The price of an amount: RATE for each UNIT of it."""
    return rounded_price(amount, RATE)


def stepped_price(amount: int) -> int:
    """The price of an amount: RATE for each of the first FULL_UNITS units of it, LOW_RATE for each unit above."""
    full = min(amount, FULL_UNITS * UNIT)
    return rounded_price(full, RATE) + rounded_price(amount - full, LOW_RATE)


def started_price(amount: int) -> int:
    """The price of an amount: RATE for each UNIT of it that is begun."""
    return -(-amount // UNIT) * RATE


def status_price(price: int, status: str) -> int:
    """The share of a price that is charged for a status, by STATUS_PERCENT; an unknown status is charged in full."""
    return percent_of(price, STATUS_PERCENT.get(status, 100))


def weekend_price(price: int, day: int) -> int:
    """The price with WEEKEND_PERCENT per cent more on Saturdays and Sundays."""
    return price + percent_of(price, WEEKEND_PERCENT) if is_weekend(day) else price


def loyal_price(price: int, earlier: int) -> int:
    """The price with LOYAL_PERCENT per cent off for a client who has LOYAL_AFTER earlier records or more."""
    return price - percent_of(price, LOYAL_PERCENT) if earlier >= LOYAL_AFTER else price


def large_price(price: int, amount: int) -> int:
    """The price with LARGE_PERCENT per cent off for an amount above LARGE, counted in the smallest unit."""
    return price - percent_of(price, LARGE_PERCENT) if amount > LARGE else price


def special_price(price: int, article: str) -> int:
    """The price with a fee of SPECIAL_FEE cents for each article that SPECIAL names."""
    return price + SPECIAL_FEE if article in SPECIAL else price


def least_price(price: int) -> int:
    """The price, but at least MINIMUM cents unless it is 0."""
    return max(price, MINIMUM) if price else 0


def taxed_price(price: int) -> int:
    """The price with TAX_PERCENT per cent tax."""
    return price + percent_of(price, TAX_PERCENT)

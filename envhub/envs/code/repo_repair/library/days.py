"""Days as numbers, and months."""

from __future__ import annotations

from datetime import date


def parse_day(text: str) -> int:
    """The number of a day written like 2024-03-05. Consecutive days have consecutive numbers."""
    year, month, day = text.split("-")
    return date(int(year), int(month), int(day)).toordinal()


def show_day(day: int) -> str:
    """The day with this number, written like 2024-03-05."""
    return date.fromordinal(day).isoformat()


def weekday(day: int) -> int:
    """The weekday of a day's number: 0 is Monday, 6 is Sunday."""
    return (day + 6) % 7


def is_weekend(day: int) -> bool:
    """Whether a day's number is a Saturday or a Sunday."""
    return weekday(day) >= 5


def month_of(day: int) -> str:
    """The month of a day's number, written like 2024-03."""
    return show_day(day)[:7]


def month_index(month: str) -> int:
    """The number of a month written like 2024-03. Consecutive months have consecutive numbers."""
    year, number = month.split("-")
    return int(year) * 12 + int(number) - 1


def month_name(index: int) -> str:
    """The month with this number, written like 2024-03."""
    return f"{index // 12:04}-{index % 12 + 1:02}"


def months_between(first: str, last: str) -> list[str]:
    """All months from the first to the last, both included."""
    return [month_name(index) for index in range(month_index(first), month_index(last) + 1)]

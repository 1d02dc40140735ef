"""Amounts that are durations."""

from __future__ import annotations


def parse_amount(text: str) -> int:
    """The minutes of a duration written as hours and minutes, like 1:05. Minutes alone are written like :05."""
    hours, _, minutes = text.partition(":")
    return 60 * int(hours or "0") + int(minutes or "0")


def show_amount(amount: int) -> str:
    """A duration in minutes, written like 1:05, or 0:05 below an hour."""
    return f"{amount // 60}:{amount % 60:02}"

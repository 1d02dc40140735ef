"""Amounts that are boxes and single pieces."""

from __future__ import annotations

from envhub.envs.code.repo_repair.library.settings import UNIT


def parse_amount(text: str) -> int:
    """The pieces of an amount such as 3 (boxes of UNIT pieces each), 3+4 (and four single pieces) or +4."""
    boxes, _, pieces = text.partition("+")
    return UNIT * int(boxes or "0") + int(pieces or "0")


def show_amount(amount: int) -> str:
    """An amount of pieces, written like 3+4: boxes of UNIT pieces, a plus sign, and the single pieces.

    Without single pieces it is written like 3.
    """
    boxes, pieces = amount // UNIT, amount % UNIT
    return f"{boxes}+{pieces}" if pieces else str(boxes)

"""Reads a choice of tasks against the record of a problem."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.core.types import JSON, Instance
from envhub.generators.documents.strict import same_json

_FIELDS: Final = ("environment", "options", "level", "rate")


def choice_of(problem: JSON, value: Any) -> tuple[int, int, float] | str:
    """Row number, level and stated rate; or what is wrong."""
    if not isinstance(value, Mapping) or set(value) != set(_FIELDS):
        return f"Expected one JSON object with the keys {', '.join(_FIELDS)}."
    record = problem["record"]
    names = sorted({row["environment"] for row in record})
    if value["environment"] not in names:
        named = str(value["environment"])[:60]
        return f"{named!r} is not in the record.{nearest(named, names)} Expected one of {', '.join(names)}."
    rows = [at for at, row in enumerate(record) if row["environment"] == value["environment"]]
    at = next((at for at in rows if same_json(record[at]["options"], value["options"])), None)
    if at is None:
        shown = " or ".join(json.dumps(record[at]["options"]) for at in rows)
        return f"These options are not in the record. Expected {shown}."
    level, rate = value["level"], value["rate"]
    if not _is_number(level) or level != int(level) or not 1 <= level <= 10:
        return "`level` must be an integer from 1 to 10."
    if int(level) not in record[at]["open"]:
        return f"Level {int(level)} of this row is not open. Expected one of {', '.join(map(str, record[at]['open']))}."
    if not _is_number(rate) or not 0 <= rate <= 1:
        return "`rate` must be a number from 0 to 1."
    return at, int(level), float(rate)


def posed(
    record: list[dict[str, Any]], rates: Sequence[Sequence[float | None]], attempts: int, target: int, tolerance: int
) -> Instance | None:
    """The problem of a record.

    None if no open level is near the target.

    Args:
        record: Rows with ``environment``, ``options``, ``solved`` by level, and the ``open`` levels.
        rates: The true rates of each row by level; those of open levels are known.
        attempts: Attempts at each measured level.
        target: In percent.
        tolerance: In percentage points.
    """
    near = [
        (abs((rates[at][level - 1] or 0.0) - target / 100), at, level)
        for at, row in enumerate(record)
        for level in row["open"]
    ]
    if not near or min(near)[0] > tolerance / 200:
        return None
    problem = {"record": record, "attempts": attempts, "target": target, "tolerance": tolerance}
    return Instance(problem, {"rates": list(map(list, rates)), "best": list(min(near)[1:])})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def written(row: Mapping[str, Any], level: int, rate: float) -> str:
    """A choice as JSON."""
    chosen = {"environment": row["environment"], "options": row["options"]}
    return json.dumps({**chosen, "level": level, "rate": round(min(1.0, max(0.0, rate)), 3)})

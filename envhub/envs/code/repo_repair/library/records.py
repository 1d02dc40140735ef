"""Records and the rows that store them."""

from __future__ import annotations

from typing import Any

from envhub.envs.code.repo_repair.library.days import parse_day, show_day
from envhub.envs.code.repo_repair.library.durations import parse_amount, show_amount
from envhub.envs.code.repo_repair.library.money import parse_money, show_money
from envhub.envs.code.repo_repair.library.settings import COLUMNS, DEFAULT_STATUS
from envhub.envs.code.repo_repair.library.tables_file import read_rows, write_rows


def record_from_row(row: dict[str, str]) -> dict[str, Any]:
    """The record that a row stores.

    The day is its number, the amount a number of the smallest unit, and the sum paid is in cents. An empty or missing sum
    is 0, an empty or missing status is DEFAULT_STATUS, and a missing note is empty.
    """
    return {
        "day": parse_day(row["day"]),
        "client": row["client"],
        "article": row["article"],
        "amount": parse_amount(row["amount"]),
        "paid": parse_money(row.get("paid") or "0"),
        "status": row.get("status") or DEFAULT_STATUS,
        "note": row.get("note", ""),
    }


def row_from_record(record: dict[str, Any]) -> dict[str, str]:
    """The row that stores a record; a sum paid of 0 is stored as an empty text."""
    return {
        "day": show_day(record["day"]),
        "client": record["client"],
        "article": record["article"],
        "amount": show_amount(record["amount"]),
        "paid": show_money(record["paid"]) if record["paid"] else "",
        "status": record["status"],
        "note": record["note"],
    }


def load_records(text: str) -> list[dict[str, Any]]:
    """The records of a file by day; those of one day in the order of the file."""
    return sorted((record_from_row(row) for row in read_rows(text)), key=lambda record: record["day"])


def dump_records(records: list[dict[str, Any]]) -> str:
    """The file that stores these records, in their order."""
    return write_rows(list(COLUMNS), [row_from_record(record) for record in records])


def corrected(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records without those that a later one replaces, in the same order.

    A record replaces an earlier one of the same day, client and article.
    """
    last = {(record["day"], record["client"], record["article"]): place for place, record in enumerate(records)}
    return [records[place] for place in sorted(last.values())]


def in_period(records: list[dict[str, Any]], since: int | None, until: int | None) -> list[dict[str, Any]]:
    """The records of the days from since to until, both included; None stands for no bound."""
    return [
        record
        for record in records
        if (since is None or record["day"] >= since) and (until is None or record["day"] <= until)
    ]


def with_status(records: list[dict[str, Any]], status: str) -> list[dict[str, Any]]:
    """The records with this status; all of them if it is empty."""
    return [record for record in records if status in ("", record["status"])]

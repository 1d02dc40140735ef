"""The program as a whole."""

from __future__ import annotations

from typing import Any

from envhub.envs.code.repo_repair.library.charges import plain_charges as charges
from envhub.envs.code.repo_repair.library.options import parse_options
from envhub.envs.code.repo_repair.library.records import (
    corrected,
    dump_records,
    in_period,
    load_records,
    record_from_row,
    with_status,
)
from envhub.envs.code.repo_repair.library.settings import COLUMNS


def priced(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records that no later one replaces, each with its "cost" in cents."""
    kept = corrected(records)
    return [{**record, "cost": cost} for record, cost in zip(kept, charges(kept))]


def chosen(records: list[dict[str, Any]], options: dict[str, Any]) -> list[dict[str, Any]]:
    """The records, with their costs, that the options --since, --until and --status select.

    Costs are computed before records are selected, so an option changes none.
    """
    return with_status(in_period(priced(records), options["since"], options["until"]), options["status"])


def report(name: str, records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """Replaced by the commands of an application."""
    raise ValueError(f"unknown command {name}")


def added(records: list[dict[str, Any]], words: list[str]) -> list[dict[str, Any]]:
    """The records and a new one, whose values are given in the order of the columns; values left out are empty."""
    values = [*words, *[""] * len(COLUMNS)]
    return [*records, record_from_row(dict(zip(COLUMNS, values)))]


def run(arguments: list[str], text: str) -> list[Any]:
    """Carry out one command on the content of a file.

    Returns the exit status, the printed text, and the content of the file afterwards. A report leaves the file as it is;
    "tidy" rewrites it in order of day, and "add" adds a record first. Wrong arguments give the status 2 and a message.
    """
    name, *words = arguments
    try:
        options = parse_options(words)
        records = load_records(text)
        if name == "tidy":
            return [0, "", dump_records(records)]
        if name == "add":
            return [0, "", dump_records(added(records, options["words"]))]
        lines = report(name, chosen(records, options), options)
    except ValueError as error:
        return [2, f"error: {error}\n", text]
    return [0, "".join(line + "\n" for line in lines), text]

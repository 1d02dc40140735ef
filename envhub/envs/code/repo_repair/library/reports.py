"""The reports, each from priced records and options."""

from __future__ import annotations

from typing import Any

from envhub.envs.code.repo_repair.library.days import month_of, months_between, show_day, weekday
from envhub.envs.code.repo_repair.library.durations import show_amount
from envhub.envs.code.repo_repair.library.layout import aligned, shortened
from envhub.envs.code.repo_repair.library.money import show_money, split_evenly
from envhub.envs.code.repo_repair.library.tallies import (
    above_mean,
    change,
    grouped,
    largest_first,
    longest_pause,
    median,
    percentages,
    ranks,
    running,
    streaks,
    totals,
)


def values_of(records: list[dict[str, Any]], name: str) -> list[Any]:
    """The values of all records under one name."""
    return [record[name] for record in records]


def show_list(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each record: day, client, article, amount, cost, and the note, cut to 20 letters."""
    rows = [
        [
            show_day(record["day"]),
            record["client"],
            record["article"],
            show_amount(record["amount"]),
            show_money(record["cost"]),
            shortened(record["note"], 20),
        ]
        for record in records
    ]
    return aligned(rows)


def show_totals(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each client with the number of records and the sum of the costs, the largest sum first."""
    sums = totals(values_of(records, "client"), values_of(records, "cost"))
    counts = totals(values_of(records, "client"), [1] * len(records))
    return aligned([[name, str(counts[name]), show_money(sums[name])] for name in largest_first(sums)])


def show_months(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each month from the first to the last record with its cost, also for months without records."""
    months = [month_of(day) for day in values_of(records, "day")]
    sums = totals(months, values_of(records, "cost"))
    listed = months_between(min(months), max(months)) if months else []
    return aligned([[month, show_money(sums.get(month, 0))] for month in listed])


def show_top(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """The articles by amount, the largest first: rank, article and amount. Those of a rank up to --top are listed."""
    sums = totals(values_of(records, "article"), values_of(records, "amount"))
    places = ranks(sums)
    listed = [name for name in largest_first(sums) if places[name] <= options["top"]]
    return aligned([[f"{places[name]}.", name, show_amount(sums[name])] for name in listed])


def show_statement(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """For the named client, a line for each record: day, cost, sum paid, and what is owed after it."""
    mine = [record for record in records if record["client"] in options["words"]]
    owed = running([record["cost"] - record["paid"] for record in mine])
    rows = [
        [show_day(record["day"]), show_money(record["cost"]), show_money(record["paid"]), show_money(balance)]
        for record, balance in zip(mine, owed)
    ]
    return aligned(rows)


def show_owing(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """The clients who owe something, the largest sum first, and a last line with the sum of all."""
    sums = totals(values_of(records, "client"), [record["cost"] - record["paid"] for record in records])
    owing = {name: value for name, value in sums.items() if value > 0}
    rows = [[name, show_money(owing[name])] for name in largest_first(owing)]
    return aligned([*rows, ["sum", show_money(sum(owing.values()))]])


def show_streaks(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """The runs of consecutive days of each client in alphabetical order: client, first day, last day, number of days."""
    days = grouped(values_of(records, "client"), values_of(records, "day"))
    rows = [
        [name, show_day(first), show_day(last), str(last - first + 1)]
        for name in sorted(days)
        for first, last in streaks(days[name])
    ]
    return aligned(rows)


def show_pauses(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each client with the longest pause in days, the longest first."""
    days = grouped(values_of(records, "client"), values_of(records, "day"))
    pauses = {name: longest_pause(group) for name, group in days.items()}
    return aligned([[name, str(pauses[name])] for name in largest_first(pauses)])


def show_shares(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each article with its share of the cost in per cent, the largest first."""
    shares = percentages(totals(values_of(records, "article"), values_of(records, "cost")))
    return aligned([[name, f"{shares[name]}%"] for name in largest_first(shares)])


def show_medians(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """A line for each article in alphabetical order with the median of its amounts."""
    amounts = grouped(values_of(records, "article"), values_of(records, "amount"))
    return aligned([[name, show_amount(median(amounts[name]))] for name in sorted(amounts)])


def show_weekdays(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """Seven lines, Mon to Sun, with the number of records and their cost."""
    names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    days = [names[weekday(day)] for day in values_of(records, "day")]
    sums, counts = totals(days, values_of(records, "cost")), totals(days, [1] * len(days))
    return aligned([[name, str(counts.get(name, 0)), show_money(sums.get(name, 0))] for name in names])


def show_compare(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """For two named months, a line for each article with its cost in the first, in the second, and the change."""
    first, second = options["words"]
    before, after = (
        totals(values_of(part, "article"), values_of(part, "cost"))
        for part in ([record for record in records if month_of(record["day"]) == month] for month in (first, second))
    )
    rows = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, 0), after.get(name, 0)
        rows.append([name, show_money(old), show_money(new), change(old, new)])
    return aligned(rows)


def show_unusual(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """The records that cost more than the mean of all: day, client and cost, in order of day."""
    rows = [records[place] for place in above_mean(values_of(records, "cost"))]
    return aligned([[show_day(row["day"]), row["client"], show_money(row["cost"])] for row in rows])


def show_split(records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:
    """The cost of all records, split evenly among the clients in alphabetical order, a line for each."""
    names = sorted(set(values_of(records, "client")))
    parts = split_evenly(sum(values_of(records, "cost")), len(names)) if names else []
    return aligned([[name, show_money(part)] for name, part in zip(names, parts)])

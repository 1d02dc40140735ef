"""Files and commands on which an application is tried.

The files hold what the functions distinguish: amounts at the bounds of the settings, weekends, consecutive days, months
without records, corrections, and notes with the signs that the format has to escape::

    case = draw(rng, app, Program(app.texts, app.values))
"""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.application import Application
from envhub.envs.code.repo_repair.nouns import CLIENTS
from envhub.envs.code.repo_repair.running import Case, Program

_FIRST_DAY: Final = date(2023, 1, 1).toordinal()
_NOTES: Final = ("", "", "paid cash", "call back", "see ledger 4: page 12", "wants the same again, and cheaper")
_SIGNS: Final = {
    "pipes": ("left|right", "C:\\new\\plan", "one\ntwo", "a\\|b", "50% off # really"),
    "quoted": ('the "old" one', "one, two", "# 7", "one\ntwo", 'said "no", then "yes"', "  twice"),
    "tabs": ("50% off", "100%25", "a\tb", "one\ntwo", "# 9 %"),
    "blocks_file": ("one\ntwo", "one\n\nthree", "note: yes", "a\n. b", "x\n  y"),
}
_MOST: Final = 14
_CLOSE: Final = 2


def draw(rng: Stream, app: Application, program: Program, command: str) -> Case:
    """A file and a command with its arguments."""
    records = _records(rng, app)
    text = _written(rng, app, program, records)
    return Case([command, *_arguments(rng, app, command, records)], text)


def commands(app: Application) -> list[str]:
    """The commands of an application."""
    return [*app.plan["commands"], "add", "tidy"]


def _records(rng: Stream, app: Application) -> list[dict[str, Any]]:
    clients = rng.sample(CLIENTS, rng.between(2, 4))
    articles = rng.sample(app.domain.articles, rng.between(2, 4))
    day, records = _FIRST_DAY + rng.below(700), []
    for _ in range(rng.between(7, _MOST)):
        day += rng.choice((0, 0, 1, 1, 1, 1, 2, 3, 5, 12, rng.between(28, 64)))
        records.append(
            {
                "day": day,
                app.domain.client: rng.choice(clients),
                app.domain.article: rng.choice(articles),
                "amount": _amount(rng, app),
                "paid": rng.choice((0, 0, 500, 1250, 1205, 7, rng.between(1, 2500), -rng.between(1, 400))),
                "status": rng.choice((*app.plan["values"]["STATUS_PERCENT"], app.plan["values"]["DEFAULT_STATUS"])),
                "note": rng.choice(_SIGNS[app.plan["rows"]] if rng.below(3) == 0 else _NOTES),
            }
        )
    for _ in range(rng.between(0, 2)):  # a correction of an earlier record
        records.append({**rng.choice(records), "amount": _amount(rng, app)})
    if rng.below(3):
        return records
    rng.shuffle(records)
    return records


def _amount(rng: Stream, app: Application) -> int:
    """An amount, often at a bound of a price."""
    values = app.plan["values"]
    unit: int = values["UNIT"]
    bounds: tuple[int, ...] = (unit, 2 * unit, values["FULL_UNITS"] * unit, values["LARGE"])
    near = rng.choice(bounds) + rng.between(-1, 1) * rng.choice((0, 1, 1, unit // 4))
    return max(1, rng.choice((near, near, rng.between(1, 4 * unit), rng.between(1, unit))))


def _written(rng: Stream, app: Application, program: Program, records: list[dict[str, Any]]) -> str:
    """The file with these records, as a person might have written it.

    It may have comments, another order of columns, and fields left out.
    """
    columns = list(app.values["COLUMNS"])
    rows = [program.call("row_from_record", [record]) for record in records]
    default = app.plan["values"]["DEFAULT_STATUS"]
    for row in rows:
        if row["status"] == default and rng.below(2):
            row["status"] = ""
    if rng.below(2):
        rng.shuffle(columns)
    text = str(program.call("write_rows", [columns, rows]))
    comment = f"# {app.domain.title}\n"
    if rng.below(2) == 0:
        text = comment + text
    if app.plan["rows"] != "blocks_file" and rng.below(2):
        head, _, rest = text.partition("\n")
        text = f"{head}\n\n{comment}{rest}"
    return text


def _arguments(rng: Stream, app: Application, command: str, records: list[dict[str, Any]]) -> list[str]:
    clients = sorted({record[app.domain.client] for record in records})
    days = sorted(record["day"] for record in records)
    if command == "add":
        return _new_record(rng, app, rng.choice(clients), days[-1] + rng.below(3))
    if command == "tidy":
        return []
    words = []
    if command == "statement":
        words.append(rng.choice(clients))
    if command == "compare":
        words += [date.fromordinal(rng.choice(days)).isoformat()[:7] for _ in range(2)]
    if rng.below(4) == 0:
        words += ["--since", date.fromordinal(rng.choice(days)).isoformat()]
    if rng.below(4) == 0:
        words += ["--until", date.fromordinal(rng.choice(days)).isoformat()]
    if rng.below(6) == 0:
        words += ["--status", rng.choice(sorted(app.plan["values"]["STATUS_PERCENT"]))]
    if command == "top" and rng.below(2):
        words += ["--top", str(rng.between(1, 4))]
    return words


def _new_record(rng: Stream, app: Application, client: str, day: int) -> list[str]:
    amount = {"durations": "1:45", "weights": "1.5kg", "boxes": "2+3"}[app.plan["amounts"]]
    words = [date.fromordinal(day).isoformat(), client, rng.choice(app.domain.articles), amount]
    more = [
        rng.choice(("", "12.5", "7", "0.05")),
        rng.choice(("", *sorted(app.plan["values"]["STATUS_PERCENT"]))),
        rng.choice(_SIGNS[app.plan["rows"]]),
    ]
    return [*words, *more[: rng.below(4)]]

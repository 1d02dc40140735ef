"""What an application consists of, drawn before any source is written.

A plan chooses the kind of amounts, the format of files, the rules of prices, the commands, the values of settings, and the
modules. It consists of JSON values, and two equal plans give equal sources up to nouns and names of modules::

    plan = draw(rng, commands=4, rules=3)
    texts = function_texts(plan)            # every function of the application by name
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.code.repo_repair.catalog import AMOUNTS, ROWS, TOPICS, functions, needs, settings

COMMANDS: Final = tuple(name.removeprefix("show_") for name in functions("reports") if name.startswith("show_"))
BASES: Final = ("linear_price", "stepped_price", "started_price")
RULES: Final[Mapping[str, str]] = {
    "special_price": 'special_price(price, record["article"])',
    "large_price": 'large_price(price, record["amount"])',
    "weekend_price": 'weekend_price(price, record["day"])',
    "loyal_price": "loyal_price(price, earlier)",
    "status_price": 'status_price(price, record["status"])',
    "least_price": "least_price(price)",
    "taxed_price": "taxed_price(price)",
}
"""Calls of the rules of prices by name; an application applies some of them in a drawn order."""
_CAP_IN_THREE: Final = 3
_STATUSES: Final = (("paid", "half", "void"), ("done", "cut", "lost"), ("full", "part", "free"))
_DRAWN: Final[Mapping[str, Callable[[Stream], Any]]] = {
    "RATE": lambda rng: rng.between(18, 70) * 5,
    "LOW_RATE": lambda rng: rng.between(5, 16) * 5,
    "FULL_UNITS": lambda rng: rng.between(1, 4),
    "MINIMUM": lambda rng: rng.between(10, 40) * 10,
    "WEEKEND_PERCENT": lambda rng: rng.between(5, 35),
    "LOYAL_AFTER": lambda rng: rng.between(1, 3),
    "LOYAL_PERCENT": lambda rng: rng.between(4, 20),
    "LARGE_PERCENT": lambda rng: rng.between(4, 25),
    "SPECIAL_FEE": lambda rng: rng.between(10, 60) * 5,
    "TAX_PERCENT": lambda rng: rng.between(3, 21),
    "DAY_CAP": lambda rng: rng.between(6, 14) * 100,
    "DEFAULT_TOP": lambda rng: rng.between(2, 3),
    "STREAK_LEAST": lambda rng: rng.between(1, 3),
}


def draw(rng: Stream, commands: int, rules: int) -> dict[str, JSON]:
    """A plan with this number of commands and price rules."""
    amounts = rng.choice(AMOUNTS)
    unit = {"durations": 60, "weights": 1000}.get(amounts) or rng.between(6, 16)
    words = rng.choice(_STATUSES)
    values = {name: value(rng) for name, value in _DRAWN.items()}
    values["UNIT"] = unit
    values["LARGE"] = unit * rng.between(2, 5) + rng.between(-1, 1) * (unit // 4)
    values["STATUS_PERCENT"] = {words[0]: 100, words[1]: rng.between(30, 70), words[2]: 0}
    values["DEFAULT_STATUS"] = words[0]
    values["SPECIAL"] = sorted(rng.sample(range(4), 2))
    return {
        "amounts": amounts,
        "rows": rng.choice(ROWS),
        "base": rng.choice(BASES),
        "rules": rng.sample(list(RULES), rules),
        "capped": rng.below(_CAP_IN_THREE) == 0,
        "commands": sorted(rng.sample(COMMANDS, commands)),
        "values": values,
    }


def topics(plan: Any) -> list[str]:
    """The topics that an application may use, in the order of imports."""
    table = [] if plan["rows"] == "blocks_file" else ["tables_file"]
    left_out = {*AMOUNTS, *ROWS, "tables_file"} - {plan["amounts"], plan["rows"], *table}
    return [topic for topic in TOPICS if topic not in left_out]


def function_texts(plan: Any) -> dict[str, str]:
    """The source of every function of an application by name.

    Each follows those that it calls.
    """
    known = {name: function.text for topic in topics(plan) for name, function in functions(topic).items()}
    known["price_of"] = _price_of(plan)
    known["report"] = _report(plan)
    if plan["capped"]:
        known["charges"] = known.pop("capped_charges").replace("capped_charges", "charges")
    else:
        known["charges"] = known.pop("plain_charges").replace("plain_charges", "charges")
        del known["capped_charges"]
    known = {name: known[name] for name in _order(plan) if name in known}
    used, left = set[str](), ["run"]
    while left:
        name = left.pop()
        if name not in used:
            used.add(name)
            left += needs(known[name], known)
    return {name: text for name, text in known.items() if name in used}


def topic_of(plan: Any) -> dict[str, str]:
    """The topic of each function of an application by name."""
    found = {name: topic for topic in topics(plan) for name in functions(topic)}
    return {**found, "charges": "charges"}


def used_settings(texts: Mapping[str, str]) -> list[str]:
    """The settings that some sources use, in the order of the library."""
    used = {name for text in texts.values() for name in needs(text, settings())}
    return [name for name in settings() if name in used]


def _order(plan: Any) -> list[str]:
    names = [name for topic in topics(plan) for name in functions(topic)]
    at = names.index("capped_charges")
    return [*names[: at + 1], "charges", *names[at + 1 :]]


def _price_of(plan: Any) -> str:
    """The source of the function that applies the rules in their order."""
    steps = [f'{plan["base"]}(record["amount"])', *(RULES[name] for name in plan["rules"])]
    parts = ", ".join(name for name in (plan["base"], *plan["rules"]))
    lines = [
        "def price_of(record: dict[str, Any], earlier: int) -> int:",
        '    """What one record costs in cents.',
        "",
        "    These are applied in this order: " + parts + ".",
        "    earlier is the number of earlier records of the same client.",
        '    """',
        *(f"    price = {step}" for step in steps),
        "    return price",
    ]
    return "\n".join(lines)


def _report(plan: Any) -> str:
    """The source of the function that knows the reports by name."""
    lines = [
        "def report(name: str, records: list[dict[str, Any]], options: dict[str, Any]) -> list[str]:",
        '    """The lines of the report with this name.',
        "",
        "    Raises:",
        "        ValueError: There is no such report.",
        '    """',
    ]
    for name in plan["commands"]:
        lines += [f'    if name == "{name}":', f"        return show_{name}(records, options)"]
    return "\n".join([*lines, '    raise ValueError(f"unknown command {name}")'])

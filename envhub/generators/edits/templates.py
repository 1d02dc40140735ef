"""Templates: drawing one with its record, and filling it.

``{{name}}`` stands for a value and ``{{name|filter}}`` for a value changed by a filter. The lines ``{{#if name}}`` or
``{{#unless name}}`` and ``{{/if}}`` or ``{{/unless}}`` enclose lines that depend on a boolean; ``{{#each items}}``
and ``{{/each}}`` enclose lines that are repeated for every item::

    fill(["{{#if vip}}", "Dear {{name|upper}},", "{{/if}}"], {"vip": True, "name": "Ada"})     # ["Dear ADA,"]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.values import FIRST, LAST, spelt

FILTERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "upper": lambda value: str(value).upper(),
    "lower": lambda value: str(value).lower(),
    "euros": lambda value: f"{value // 100}.{value % 100:02} EUR",
    "date": lambda value: spelt(date.fromisoformat(value)),
    "html": lambda value: str(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    "initials": lambda value: "".join(f"{word[0]}." for word in value.split()),
}
FLAGS: Final = ("member", "urgent", "gift", "paid", "abroad", "fragile")
_GOODS: Final = (
    "tea & milk",
    "soap <large>",
    "paper",
    "ink & pens",
    "rope > 2 m",
    "candles",
    "Glue",
    "NAILS",
    "salt < 1 kg",
)
_LINES: Final = (
    "Dear {{name}},",
    "Customer: {{name|upper}} ({{name|initials}})",
    "Your order of {{day|date}} has the number {{number}}.",
    "City:  {{city|lower}}",
    "Total - {{total|euros}}",
    "Note: {{note|html}}",
    "Ref. {{number}}/{{name|initials}}",
    "Shipped to {{city|upper}} on {{day}}.",
    "{{note}} -- {{total}} cents",
    "It was ordered by {{name|lower}} of {{city}} .",
)
_INNER: Final = (
    "- {{good|html}}: {{price|euros}}",
    "* {{good}}",
    "  {{good|upper}} = {{price}}",
    "{{good|lower}}; {{price|euros}};",
)
_CONDITIONAL: Final = (
    "Thank you for being so kind.",
    "Handle with care!",
    "Nothing is due.",
    "See page 2.",
    "Sorry for the delay.",
)


def draw_template(rng: Stream, size: int, conditions: int, items: int) -> tuple[list[str], dict[str, JSON]]:
    """Lines of a template, and a record for it."""
    blocks = [[line] for line in rng.sample(_LINES, size)]
    for flag in rng.sample(FLAGS, conditions):
        word = rng.choice(("if", "unless"))
        inner = rng.choice((*_CONDITIONAL, *_LINES))
        blocks.insert(1 + rng.below(len(blocks)), [f"{{{{#{word} {flag}}}}}", inner, f"{{{{/{word}}}}}"])
    if items:
        blocks.append(["{{#each goods}}", *rng.sample(_INNER, 1 + rng.below(2)), "{{/each}}"])
    lines = [line for block in blocks for line in block]
    return [*lines, "End of message {{number}}"], _draw_record(rng, items)


def _draw_record(rng: Stream, items: int) -> dict[str, JSON]:
    goods = [{"good": good, "price": rng.between(5, 9999)} for good in rng.sample(_GOODS, items)]
    return {
        "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        "city": rng.choice(("New York", "Porto", "Den Haag", "Ghent", "San Jose")),
        "day": date(rng.between(2020, 2030), rng.between(1, 12), rng.between(1, 28)).isoformat(),
        "number": rng.between(1000, 9999),
        "total": rng.between(100, 99999),
        "note": rng.choice(_GOODS),
        **{flag: rng.below(2) == 1 for flag in FLAGS},
        "goods": goods,
    }


def fill(lines: list[str], record: Mapping[str, Any]) -> list[str]:
    """The lines of a filled template."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.startswith("{{#"):
            out.append(_filled(line, record))
            at += 1
            continue
        word, name = line.removeprefix("{{#").removesuffix("}}").split(" ")
        end = lines.index(f"{{{{/{word}}}}}", at)
        inner = lines[at + 1 : end]
        if word == "each":
            for item in record[name]:
                out += fill(inner, {**record, **item})
        elif record[name] == (word == "if"):
            out += fill(inner, record)
        at = end + 1
    return out


def _filled(line: str, record: Mapping[str, Any]) -> str:
    head, *pieces = line.split("{{")
    for piece in pieces:
        inner, _, rest = piece.partition("}}")
        name, _, chosen = inner.partition("|")
        head += (FILTERS[chosen](record[name]) if chosen else str(record[name])) + rest
    return head

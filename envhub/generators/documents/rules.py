"""Rules of objects, the examples that determine them, and their JSON Schema.

Each property of a :class:`Rule` table has one kind of value and one pair of bounds or one set of values. The accepted
examples contain every bound and every value; each rejected example breaks exactly one rule, and is as close to it as
can be. So within the class of such tables, the examples admit one table only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.documents.records import KEYS

_VALUES: Final = (
    "blue",
    "gold",
    "grey",
    "pink",
    "teal",
    "lime",
    "navy",
    "plum",
    "ruby",
    "jade",
)  # equally long: no rule on lengths
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SAMPLES: Final = 2
KINDS: Final = ("integer", "text", "choice", "flag", "list")


class Rule(NamedTuple):
    """What is allowed for one property.

    Attributes:
        kind: One of :data:`KINDS`.
        low: The least integer, length of a text, or length of a list of integers.
        high: The greatest one.
        values: The values of a choice.
        required: Whether the property must be present.
    """

    kind: str
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()
    required: bool = True


Table = Mapping[str, Rule]


def draw_table(rng: Stream, size: int, optional: int) -> dict[str, Rule]:
    """Rules for ``size`` properties, ``optional`` per cent of them optional."""
    names = rng.sample(KEYS, size)
    return {name: _draw_rule(rng, at > 0 and rng.below(100) < optional) for at, name in enumerate(names)}


def _draw_rule(rng: Stream, optional: bool) -> Rule:
    kind = rng.choice(KINDS)
    low = {"integer": rng.between(-20, 60), "text": rng.between(2, 5), "list": rng.between(1, 3)}.get(kind, 0)
    width = {"integer": rng.between(4, 40), "text": rng.between(3, 6), "list": rng.between(1, 3)}.get(kind, 0)
    values = tuple(sorted(rng.sample(_VALUES, rng.between(2, 3)))) if kind == "choice" else ()
    return Rule(kind, low, low + width, values, not optional)


def schema_of(table: Table, closed: bool) -> JSON:
    """The JSON Schema of a table; ``closed`` excludes other properties."""
    required = [name for name, rule in table.items() if rule.required]
    found: dict[str, JSON] = {
        "type": "object",
        "properties": {n: _schema(r) for n, r in table.items()},
        "required": required,
    }
    return {**found, "additionalProperties": False} if closed else found


def _schema(rule: Rule) -> JSON:
    return {
        "integer": {"type": "integer", "minimum": rule.low, "maximum": rule.high},
        "text": {"type": "string", "minLength": rule.low, "maxLength": rule.high},
        "choice": {"enum": list(rule.values)},
        "flag": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": rule.low, "maxItems": rule.high},
    }[rule.kind]


def accepted(rng: Stream, table: Table, closed: bool) -> list[JSON]:
    """Accepted objects that show every bound, value and optional property."""
    wanted = {name: list(_good(rng, rule)) for name, rule in table.items()}
    count = max(map(len, wanted.values()))
    found: list[JSON] = [{name: values[at % len(values)] for name, values in wanted.items()} for at in range(count)]
    whole = found[-1]
    found += [{n: v for n, v in whole.items() if n != name} for name, rule in table.items() if not rule.required]
    if not closed:
        found.append({**whole, "extra": rng.between(1, 99)})
    return found


def rejected(rng: Stream, table: Table, closed: bool) -> list[JSON]:
    """Objects that each break one rule, as narrowly as possible."""
    good: dict[str, JSON] = {name: rng.choice(list(_good(rng, rule))) for name, rule in table.items()}
    found: list[JSON] = [{**good, name: bad} for name, rule in table.items() for bad in _bad(rng, rule)]
    found += [{n: v for n, v in good.items() if n != name} for name, rule in table.items() if rule.required]
    return [*found, {**good, "extra": rng.between(1, 99)}] if closed else found


def _text(rng: Stream, length: int) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(length))


def _good(rng: Stream, rule: Rule) -> Iterator[JSON]:
    if rule.kind == "integer":
        yield from (rule.low, rule.high, rng.between(rule.low, rule.high))
    elif rule.kind == "text":
        yield from (_text(rng, length) for length in (rule.low, rule.high, rule.low + 1, rule.high - 1))
    elif rule.kind == "choice":
        yield from rule.values
    elif rule.kind == "flag":
        yield from (True, False)
    else:
        yield from ([rng.between(1, 99) for _ in range(length)] for length in (rule.low, rule.high))


def _bad(rng: Stream, rule: Rule) -> Iterator[JSON]:
    if rule.kind == "integer":
        yield from (rule.low - 1, rule.high + 1, str(rule.low))
    elif rule.kind == "text":
        yield from (_text(rng, rule.low - 1), _text(rng, rule.high + 1), rng.between(10, 99))
    elif rule.kind == "choice":
        yield from rng.sample([value for value in _VALUES if value not in rule.values], 2)
    elif rule.kind == "flag":
        yield from ("true", 1)
    else:
        yield [rng.between(1, 99) for _ in range(rule.low - 1)]
        yield [rng.between(1, 99) for _ in range(rule.high + 1)]
        yield [_text(rng, 2) for _ in range(rule.low)]
        yield rng.between(10, 99)


def probes(rng: Stream, table: Table, closed: bool) -> Iterator[tuple[JSON, bool]]:
    """New objects of the examples' kinds, and whether each is accepted."""
    for _ in range(_SAMPLES):
        yield from ((value, True) for value in accepted(rng, table, closed))
        yield from ((value, False) for value in rejected(rng, table, closed))
    yield from (([], False), ("text", False), (None, False), (7, False))

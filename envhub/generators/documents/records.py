"""Records with values that careless writers get wrong."""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

KEYS: Final = (
    *("name", "city", "code", "size", "owner", "status", "unit", "zone", "label", "grade", "route", "color"),
    *("phase", "count", "limit", "ratio", "shift", "batch", "motor", "valve", "depth", "angle", "power", "speed"),
)
GROUPS: Final = ("details", "contact", "shipping", "storage", "network", "billing", "history", "options")
_TRAPS: Final = ("no", "yes", "on", "off", "true", "null", "~", "None", "y", "NaN")
_SIGNS: Final = (
    *("a: b", "x, y", "# 1", "- two", "it's", 'say "hi"', "A & B", "1 < 2", "[x]", "{y}", "100%", "50 / 50", "*bold*"),
    *("p|q", "under_score", "@home", "!important", "a = b", "semi; colon", "=1+1"),
)
_WORDS: Final = (
    "amber",
    "basalt",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "garnet",
    "hazel",
    "ivory",
    "jasper",
    "kelp",
    "lotus",
)


def draw_text(rng: Stream, hostile: int) -> str:
    """A text; ``hostile`` per cent of all texts need care."""
    plain = f"{rng.choice(_WORDS)} {rng.between(2, 99)}"
    if rng.below(100) >= hostile:
        return plain
    looks = (
        f"{rng.below(10)}.{rng.below(10)}0",
        f"0{rng.between(1, 999)}",
        str(rng.between(1, 9999)),
        f"{rng.between(1, 23)}:{rng.between(10, 59)}",
        f"20{rng.between(10, 40)}-0{rng.between(1, 9)}-{rng.between(10, 28)}",
        f"{rng.between(1, 9)}e{rng.between(1, 9)}",
        rng.choice(_TRAPS),
        rng.choice(_TRAPS),
    )
    return rng.choice((rng.choice(looks), f"{rng.choice(_WORDS)} {rng.choice(_SIGNS)}", rng.choice(looks)))


def draw_scalar(rng: Stream, hostile: int) -> JSON:
    """A text, an integer or a boolean."""
    kind = rng.below(6)
    if kind < 4:
        return draw_text(rng, hostile)
    return rng.below(2) == 1 if kind == 4 else rng.between(-50, 999)


def draw_record(rng: Stream, size: int, groups: int, lists: int, hostile: int) -> dict[str, Any]:
    """A record with ``size`` scalars, and with groups and lists."""
    names = rng.sample(KEYS, size + lists)
    pairs: list[tuple[str, JSON]] = [(name, draw_scalar(rng, hostile)) for name in names[:size]]
    pairs += [(name, [draw_text(rng, hostile) for _ in range(3)]) for name in names[size:]]
    for group in rng.sample(GROUPS, groups):
        pairs.append((group, {name: draw_scalar(rng, hostile) for name in rng.sample(KEYS, 3)}))
    rng.shuffle(pairs)
    return dict(pairs)


def draw_table(rng: Stream, columns: int, rows: int, hostile: int) -> list[dict[str, Any]]:
    """Flat records with the same keys."""
    names = rng.sample(KEYS, columns)
    return [{name: draw_scalar(rng, hostile) for name in names} for _ in range(rows)]


def leaves(value: JSON, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], JSON]]:
    """Each scalar with its path; places in lists count from 1."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for at, inner in enumerate(value, 1) for leaf in leaves(inner, (*path, str(at)))]
    return [(path, value)]

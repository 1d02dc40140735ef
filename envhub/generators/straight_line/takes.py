"""Domains of arguments: described in words, drawn, and checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

LONGEST_WORD: Final = 5


def described(domain: JSON) -> str:
    """A domain in words."""
    match domain["kind"]:
        case "int":
            return f"an integer from {domain['low']} to {domain['high']}"
        case "ints":
            return f"a list of {_counted(domain)} integers from {domain['low']} to {domain['high']}"
        case "str":
            return f"a string of {_counted(domain)} characters, each one of {_listed(domain['letters'])}"
        case "strs":
            return (
                f"a list of {_counted(domain)} strings, each of 1 to {LONGEST_WORD} characters out of "
                f"{_listed(domain['letters'])}"
            )
        case _:
            return (
                f"a dict of {_counted(domain)} entries; its keys are strings of one character out of "
                f"{_listed(domain['letters'])}, its values integers from {domain['low']} to {domain['high']}"
            )


def _counted(domain: JSON) -> str:
    return f"{domain['least']} to {domain['most']}"


def _listed(letters: str) -> str:
    return ", ".join(letters[:-1]) + " and " + letters[-1]


def draw_arguments(takes: JSON, rng: Stream) -> list[Any]:
    """One value of each domain."""
    return [_drawn(domain, rng) for domain in takes]


def edge_arguments(takes: JSON, rng: Stream) -> Iterator[list[Any]]:
    """Arguments at the ends of their domains.

    Shortest, longest, extreme, equal, sorted and reversed.
    """
    for length in ("least", "most"):
        for values in ("drawn", "low", "high", "rising", "falling"):
            yield [_at_edge(domain, rng, length, values) for domain in takes]


def _at_edge(domain: JSON, rng: Stream, length: str, values: str) -> Any:
    ends = {"low": ("low", "low"), "high": ("high", "high")}.get(values, ("low", "high"))
    if domain["kind"] == "int":
        return rng.between(domain[ends[0]], domain[ends[1]])
    narrow = {**domain, "least": domain[length], "most": domain[length]}
    if "low" in domain:
        narrow |= {"low": domain[ends[0]], "high": domain[ends[1]]}
    if "letters" in domain and domain["kind"] != "dict" and values in ("low", "high"):
        narrow["letters"] = domain["letters"][0 if values == "low" else -1]
    found = _drawn(narrow, rng)
    if values not in ("rising", "falling") or domain["kind"] == "dict":
        return found
    ordered = sorted(found, reverse=values == "falling")
    return "".join(ordered) if domain["kind"] == "str" else ordered


def _drawn(domain: JSON, rng: Stream) -> Any:
    if domain["kind"] == "int":
        return rng.between(domain["low"], domain["high"])
    count = rng.between(domain["least"], domain["most"])
    match domain["kind"]:
        case "ints":
            return [rng.between(domain["low"], domain["high"]) for _ in range(count)]
        case "str":
            return _word(domain, rng, count)
        case "strs":
            return [_word(domain, rng, rng.between(1, LONGEST_WORD)) for _ in range(count)]
        case _:
            keys = sorted(rng.sample(domain["letters"], count))
            return {key: rng.between(domain["low"], domain["high"]) for key in keys}


def _word(domain: JSON, rng: Stream, length: int) -> str:
    return "".join(rng.choice(domain["letters"]) for _ in range(length))


def fits(domain: JSON, value: object) -> bool:
    """Whether a value is in the domain, including its types."""
    match domain["kind"]:
        case "int":
            return _whole(domain, value)
        case "ints":
            return type(value) is list and _many(domain, value) and all(_whole(domain, item) for item in value)
        case "str":
            return type(value) is str and _many(domain, value) and set(value) <= set(domain["letters"])
        case "strs":
            return type(value) is list and _many(domain, value) and all(_short(domain, item) for item in value)
        case _:
            return (
                type(value) is dict
                and _many(domain, value)
                and all(_short(domain, key) and len(key) == 1 and _whole(domain, item) for key, item in value.items())
            )


def outside(domain: JSON, value: Any) -> Iterator[Any]:
    """Values just outside a domain: of another type, or beyond a bound."""
    match domain["kind"]:
        case "int":
            yield from _other_numbers(domain, value)
        case "ints":
            yield tuple(value)
            yield from _other_lengths(domain, value)
            yield from ([*value[:-1], other] for other in _other_numbers(domain, value[-1]))
        case "str":
            yield list(value)
            yield from ("".join(items) for items in _other_lengths(domain, list(value)))
            yield from (value[:-1] + letter for letter in _other_letters(domain))
        case "strs":
            yield tuple(value)
            yield from _other_lengths(domain, value)
            yield from ([*value[:-1], other] for other in _other_words(domain, value[-1]))
        case _:
            last = max(value)
            rest = {key: item for key, item in value.items() if key != last}
            yield list(value.items())
            if len(value) == domain["least"]:
                yield rest
            spare = [letter for letter in domain["letters"] if letter not in value]
            more = dict.fromkeys(spare[: domain["most"] + 1 - len(value)], value[last])
            if len(value) + len(more) > domain["most"]:
                yield {**value, **more}
            yield from ({**rest, other: value[last]} for other in (*_other_words(domain, last), last * 2))
            yield from ({**rest, last: other} for other in _other_numbers(domain, value[last]))


def _other_numbers(domain: JSON, value: int) -> Iterator[Any]:
    yield float(value)
    yield from (bool(value),) if value in (0, 1) else ()
    yield from (domain["low"] - 1, domain["high"] + 1)


def _other_lengths(domain: JSON, items: list[Any]) -> Iterator[list[Any]]:
    yield [*items, *items[-1:] * (domain["most"] + 1 - len(items))]
    if domain["least"]:
        yield items[: domain["least"] - 1]


def _other_words(domain: JSON, word: str) -> Iterator[Any]:
    yield from (1, "", word[:1] * (LONGEST_WORD + 1))
    yield from (word[:-1] + letter for letter in _other_letters(domain))


def _other_letters(domain: JSON) -> Iterator[str]:
    yield from (chr(ord(max(domain["letters"])) + 1), chr(ord(min(domain["letters"])) - 1))


def _whole(domain: JSON, value: object) -> bool:
    return type(value) is int and bool(domain["low"] <= value <= domain["high"])


def _short(domain: JSON, value: object) -> bool:
    return type(value) is str and 1 <= len(value) <= LONGEST_WORD and set(value) <= set(domain["letters"])


def _many(domain: JSON, value: Any) -> bool:
    return bool(domain["least"] <= len(value) <= domain["most"])

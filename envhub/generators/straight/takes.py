"""What straight programs are called with: domains of values, in words, drawn, and checked."""

from __future__ import annotations

from typing import Any, Final

from envhub.seeding import Stream
from envhub.types import JSON

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
    """Whether a value is of the domain, its types included."""
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


def _whole(domain: JSON, value: object) -> bool:
    return type(value) is int and bool(domain["low"] <= value <= domain["high"])


def _short(domain: JSON, value: object) -> bool:
    return type(value) is str and 1 <= len(value) <= LONGEST_WORD and set(value) <= set(domain["letters"])


def _many(domain: JSON, value: Any) -> bool:
    return bool(domain["least"] <= len(value) <= domain["most"])

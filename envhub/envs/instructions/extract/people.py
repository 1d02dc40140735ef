"""People of clinical notes, and how a sentence refers to them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

_WOMEN: Final = (
    "Amara", "Beatriz", "Chen", "Dalia", "Esther", "Farah", "Greta", "Hana", "Ines", "Jolanta", "Keiko", "Lena", "Mirela",
    "Noor",
)  # fmt: skip
_MEN: Final = (
    "Arturo", "Bram", "Cyril", "Dmitri", "Emeka", "Farid", "Goran", "Henrik", "Ivo", "Jamal", "Kofi", "Lars", "Mateo", "Nikhil",
)  # fmt: skip
_SURNAMES: Final = (
    "Abara", "Brandt", "Castellano", "Doyle", "Ekwueme", "Fischer", "Greenwood", "Haddad", "Ivanova", "Jansen", "Kowalski",
    "Lindqvist", "Moreau", "Nakamura", "Okafor", "Petrov", "Quist", "Roth", "Silva", "Tanaka", "Ulrich", "Vasquez", "Winter",
)  # fmt: skip
_JOBS: Final = (
    "teacher", "bus driver", "baker", "carpenter", "librarian", "electrician", "accountant", "gardener", "cook",
    "violinist", "farmer", "locksmith", "translator", "welder", "surveyor",
)  # fmt: skip
_RETIRES: Final = 67


def full_name(rng: Stream, sex: str | None = None, avoid: Collection[str] = ()) -> str:
    """A first name and a surname; not one of those to avoid."""
    first = _WOMEN if sex == "female" else _MEN if sex == "male" else (*_WOMEN, *_MEN)
    while (name := f"{rng.choice(first)} {rng.choice(_SURNAMES)}") in avoid:
        pass
    return name


def draw_person(rng: Stream) -> JSON:
    """An adult patient: sex, age, surname and work."""
    sex, age = rng.choice(("female", "male")), rng.between(21, 89)
    job = rng.choice(_JOBS)
    return {
        "sex": sex,
        "age": age,
        "surname": rng.choice(_SURNAMES),
        "job": f"retired {job}" if age >= _RETIRES else job,
    }


def an(word: str) -> str:
    """A word or number with its indefinite article."""
    vowel = word[:1].lower() in "aeiou" or word.startswith(("8", "11 ", "11-", "18 ", "18-"))
    return f"{'an' if vowel else 'a'} {word}"


def upper(text: str) -> str:
    """A sentence with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def references(person: JSON) -> dict[str, str]:
    """Words that refer to a patient, for templates."""
    female = person["sex"] == "female"
    she, her, noun = ("she", "her", "woman") if female else ("he", "his", "man")
    partner = "husband" if female else "wife"
    return {
        "she": she,
        "She": upper(she),
        "her": her,
        "Her": upper(her),
        "them": "her" if female else "him",
        "woman": noun,
        "partner": partner,
        "Name": f"{'Ms' if female else 'Mr'} {person['surname']}",
        "job": person["job"],
        "a_job": an(person["job"]),
        "age": str(person["age"]),
        "an_age": an(str(person["age"])),
    }

"""Sentences at the end of a note that correct its body."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.complaints import condition, symptom
from envhub.envs.instructions.extract.clinical.findings import result, weight
from envhub.envs.instructions.extract.clinical.treatment import dose
from envhub.envs.instructions.extract.clinical.vocabulary import REACTIONS
from envhub.envs.instructions.extract.record import Record
from envhub.envs.instructions.extract.voice import Told, Voice


def corrections(voice: Voice, record: Record) -> Told:
    """One sentence for each correction, under a heading of its own."""
    if not record["corrections"]:
        return []
    lead = voice.say(
        "Addendum.", "Added later the same day:", "After a second look:", "Addendum, dictated in the evening."
    )
    told: Told = [("addendum", lead)]
    for group, at, field, wrong in record["corrections"]:
        about = record["told"][group] if at is None else record["told"][group][at]
        told.append(("addendum", _MADE[group](voice, about, field, wrong)))
    return told


def _medications(voice: Voice, each: JSON, field: str, wrong: JSON) -> str:
    return voice.say(
        "The dose of {x} is {d}, not {wrong}.",
        "I noted a wrong dose for {x}. The right one is {d}.",
        "For {x}, read {d} instead of {wrong}.",
        x=each["drug"],
        d=dose(voice, each["dose_mg"]),
        wrong=dose(voice, wrong, False),
    )


def _labs(voice: Voice, each: JSON, field: str, wrong: JSON) -> str:
    return voice.say(
        "The laboratory called: the {x} is {v}, not {wrong}.",
        "A wrong value was reported for {x}; the corrected one is {v}.",
        "For {x}, read {v} instead of {wrong}.",
        x=each["test"],
        v=result(voice, each["test"], each["value"]),
        wrong=result(voice, each["test"], wrong),
    )


def _vitals(voice: Voice, about: JSON, field: str, wrong: JSON) -> str:
    return voice.say(
        "The weight was misread; it is {w}.",
        "Weighed again on a better scale, without shoes: {w}, which replaces the weight in the note.",
        w=weight(voice, about["weight_kg"]),
    )


def _contact(voice: Voice, about: JSON, field: str, wrong: JSON) -> str:
    return voice.say(
        "The number of {name} is {phone}, not {wrong}.",
        "{name} has asked us to use another number: {phone}.",
        name=about["name"],
        phone=about["phone"],
        wrong=wrong,
    )


def _symptoms(voice: Voice, each: JSON, field: str, wrong: int) -> str:
    return voice.say(
        "Concerning the {x}: {right} by the diary, not {wrong}.",
        "By the diary, the {x} began {span} ago.",
        x=symptom(voice, each["name"], article=False),
        right=f"for {voice.span(each['days'])}",
        span=voice.span(each["days"]),
        wrong=f"for {voice.span(wrong)}",
    )


def _conditions(voice: Voice, each: JSON, field: str | None, wrong: JSON) -> str:
    if field is None:
        had = condition(voice, wrong["name"], article=True)
        return voice.say(
            "{She} never had {had}; the entry belongs to another patient.",
            "Please ignore what the note says of {x}: it was copied from another file.",
            had=had,
            x=condition(voice, wrong["name"]),
        )
    return voice.say(
        "The year given for {x} is wrong; it was {year}.",
        "For {x}, read {year} instead of {wrong}.",
        "By the papers of the hospital, {x} dates from {year}, not from {wrong}; the papers are right.",
        x=condition(voice, each["name"]),
        year=each["year"],
        wrong=wrong,
    )


def _family(voice: Voice, each: JSON, field: str, wrong: JSON) -> str:
    return voice.say(
        "{Her} {rel} was {n} at the time, not {wrong}.",
        "The age given for {her} {rel} is wrong; it was {n}.",
        rel=each["relative"],
        n=each["age"],
        wrong=wrong,
    )


def _procedures(voice: Voice, each: JSON, field: str, wrong: str) -> str:
    return voice.say(
        "The date of the {x} is {day}, not {wrong}.",
        "By the old papers, the {x} took place on {day}.",
        "{She} has looked it up: the {x} was on {day}, and the date in the note is wrong.",
        x=each["name"],
        day=voice.day(date.fromisoformat(each["date"])),
        wrong=voice.day(date.fromisoformat(wrong)),
    )


def _allergies(voice: Voice, each: JSON, field: str, wrong: str) -> str:
    return voice.say(
        "The reaction to {x} was {r}, not {wrong}.",
        "As for {x}, the reaction was {r}, contrary to what the note says.",
        "I asked again about {x}: the reaction was {r}, and {wrong} was a misunderstanding.",
        x=each["substance"],
        r=REACTIONS[each["reaction"]],
        wrong=REACTIONS[wrong],
    )


_MADE: Final[dict[str, Callable[[Voice, Any, Any, Any], str]]] = {
    "medications": _medications,
    "labs": _labs,
    "vitals": _vitals,
    "emergency_contact": _contact,
    "symptoms": _symptoms,
    "conditions": _conditions,
    "family_history": _family,
    "procedures": _procedures,
    "allergies": _allergies,
}

"""Sentences of incident reports, by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.instructions.extract.incident.record import minutes_of
from envhub.envs.instructions.extract.incident.vocabulary import (
    ACTIONS,
    CAUSES,
    CONVERSION,
    COSTS,
    GALLON,
    INJURIES,
    PARTIES,
    SUBSTANCES,
)
from envhub.envs.instructions.extract.people import an
from envhub.envs.instructions.extract.voice import Told, Voice, number

_NEAR: Final = Decimal("0.4")


def time_of_day(voice: Voice, time: str) -> str:
    """A time on the 24-hour or the 12-hour clock."""
    if not voice.vary():
        return time
    hour, minute = divmod(minutes_of(time), 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'p.m.' if hour >= 12 else 'a.m.'}"


def money(voice: Voice, dollars: int) -> str:
    """An amount in dollars, large ones also in thousands."""
    if dollars % 100 == 0 and dollars >= 1000 and voice.vary():
        return f"{Decimal(dollars) / 1000:f} thousand dollars"
    return voice.rng.choice((f"${dollars:,}", f"{dollars} dollars"))


def litres(voice: Voice, amount: int) -> str:
    """An amount in litres or gallons."""
    gallons = (Decimal(amount) / Decimal(GALLON)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    if not voice.vary() or abs(gallons * Decimal(GALLON) - amount) >= _NEAR or gallons <= 1:
        return f"{amount} litres"
    voice.units.add(CONVERSION)
    return f"{gallons.normalize():f} gallons"


def lasting(minutes: int) -> str:
    """A number of minutes in words."""
    hours, rest = divmod(minutes, 60)
    parts = [f"{number(hours)} hour{'' if hours == 1 else 's'}"] * bool(hours) + [f"{rest} minutes"] * bool(rest)
    return " and ".join(parts)


def place(voice: Voice, about: JSON) -> Told:
    """Where it happened."""
    on = f" on floor {about['floor']}" if about["floor"] else ""
    templates = (
        "It happened in the {area} of the {site}{on}.",
        "The place was the {site}, {area}{on}.",
        "Location: {site}, {area}{on}.",
    )
    return [("what", voice.say(*templates, area=about["area"], site=about["site"], on=on))]


def people(voice: Voice, items: list[JSON]) -> Told:
    """The people with a role."""
    told: Told = []
    for each in items:
        name, job = each["name"], each["job"]
        who = voice.rng.choice((f"{name}, {an(job)},", f"{name} ({job})")) if job else name
        templates = {
            "injured": ("{who} was hurt.", "{who} was injured.", "The injured include {plain}."),
            "witness": ("{who} saw it happen.", "{who} watched it from close by.", "A witness was {plain}."),
            "first_aider": (
                "{who} gave first aid.",
                "{who} looked after the injured first.",
                "First aid came from {plain}.",
            ),
            "supervisor": (
                "{who} was in charge of the shift.",
                "{who} supervised the work.",
                "The supervisor was {plain}.",
            ),
        }[each["role"]]
        told.append(("people", voice.say(*templates, who=who, plain=who.rstrip(","))))
    return told


def injuries(voice: Voice, items: list[JSON]) -> Told:
    """What the injured people have."""
    told: Told = []
    for each in items:
        side = f"{each['side']} " if each["side"] else ""
        where = f"the {side}{each['part']}"
        templates: tuple[str, ...] = (
            "{name} has {x} of {where}.",
            "{name} came away with {x} of {where}.",
            "The doctor found that {name} has {x} of {where}.",
            "{name} is being treated for {x} of {where}.",
        )
        kind = INJURIES[each["kind"]]
        if each["kind"] != "fracture" and voice.vary():
            templates = ("A fracture of {where} was feared, but {name} has only {x} of it.",)
        told.append(("injuries", voice.say(*templates, name=each["person"], x=kind, where=where)))
    return told


def equipment(voice: Voice, items: list[JSON]) -> Told:
    """Equipment that was involved."""
    told: Told = []
    for each in items:
        templates = (
            ("The {x} {id} was damaged.", "Damage was found on the {x} {id}.", "The {x} {id} was hit and needs repair.")
            if each["damaged"]
            else (
                "The {x} {id} was involved, but is not damaged.",
                "The {x} {id} took part in it and came away without a scratch.",
                "The {x} {id} was hit as well; no damage was found.",
            )
        )
        told.append(("damage", voice.say(*templates, x=each["item"], id=each["id"])))
    return told


def costs(voice: Voice, items: list[JSON]) -> Told:
    """What it cost."""
    return [("damage", voice.say(*COSTS[each["what"]], n=money(voice, each["dollars"]))) for each in items]


def causes(voice: Voice, names: list[str]) -> Told:
    """Causes that were found."""
    forms = [voice.pick(CAUSES[name]) for name in names]
    if len(forms) > 1 and voice.vary():
        return [
            ("causes", voice.say("The causes were {all}.", "It came about through {all}.", all=voice.listed(forms)))
        ]
    templates = (
        "One cause was {x}.",
        "It was due to {x}.",
        "We found {x}, which led to the incident.",
        "{X} played a part.",
    )
    return [("causes", voice.say(*templates, x=form)) for form in forms]


def excluded(voice: Voice, names: list[str]) -> Told:
    """Causes that were ruled out."""
    templates = (
        "{X} was ruled out as a cause.",
        "It was not due to {x}; that was examined.",
        "We looked into {x}, without any finding.",
        "{X} can be excluded.",
    )
    return [
        ("causes", voice.say(*templates, x=voice.pick(CAUSES[name])).replace("brakes was", "brakes were"))
        for name in names
    ]


def work(voice: Voice, about: JSON) -> Told:
    """When work stopped and went on."""
    stopped, resumed = about["stopped"], about["resumed"]
    values = {"a": time_of_day(voice, stopped)}
    if resumed is None:
        templates = ("Work stopped at {a}.", "We stopped work at {a}; when it went on was not noted.")
        return [("what", voice.say(*templates, **values))]
    if voice.vary():
        values["n"] = lasting(minutes_of(resumed) - minutes_of(stopped))
        templates = ("Work stopped at {a} and went on {n} later.", "From {a} on, work stood still for {n}.")
    else:
        values["b"] = time_of_day(voice, resumed)
        templates = ("Work stopped at {a} and went on at {b}.", "Work stood still from {a} until {b}.")
    return [("what", voice.say(*templates, **values))]


def spills(voice: Voice, items: list[JSON]) -> Told:
    """What leaked."""
    told: Told = []
    for each in items:
        name = voice.pick(SUBSTANCES[each["substance"]])
        if each["litres"] is None:
            templates: tuple[str, ...] = (
                "Some {x} leaked; how much is not known.",
                "{X} ran out, in an unknown amount.",
            )
            told.append(("damage", voice.say(*templates, x=name)))
        else:
            templates = ("In all, {n} of {x} leaked.", "We lost {n} of {x}.", "About {n} of {x} ran over the floor.")
            told.append(("damage", voice.say(*templates, x=name, n=litres(voice, each["litres"]))))
    return told


def actions(voice: Voice, items: list[JSON]) -> Told:
    """What was done and what is agreed."""
    told: Told = []
    for each in items:
        infinitive, past = ACTIONS[each["action"]]
        by = f" by {each['owner']}" if each["owner"] else ""
        due = f" {voice.due(date.fromisoformat(each['due']))}" if each["due"] else ""
        values: dict[str, Any] = {"past": past, "by": by, "do": infinitive, "due": due, "who": each["owner"]}
        if each["done"]:
            templates: tuple[str, ...] = ("{past}{by}.", "{past} already{by}.")
        elif each["owner"]:
            templates = (
                "{who} will {do}{due}.",
                "It is agreed that {who} will {do}{due}.",
                "{who} has promised to {do}{due}.",
            )
        else:
            templates = ("We will {do}{due}.", "It is agreed to {do}{due}.")
        told.append(("actions", voice.say(*templates, **values)))
    return told


def informed(voice: Voice, about: JSON) -> Told:
    """Who has been informed."""
    told: Told = []
    for name, state in about.items():
        if state is None:
            continue
        templates = (
            ("{X} has been informed.", "We have told {x}.", "{X} knows about it.")
            if state
            else ("{X} has not been informed.", "Nobody has told {x} yet.", "{X} does not know about it.")
        )
        told.append(("actions", voice.say(*templates, x=PARTIES[name])))
    return told


def report_number(voice: Voice, value: str) -> Told:
    """The number of the report."""
    return [("head", voice.say("Report number {x}.", "This is report {x}.", "Filed under {x}.", x=value))]


def author(voice: Voice, name: str) -> Told:
    """Who wrote the report."""
    return [("end", voice.say("Written by {x}.", "Signed: {x}", "{x}, author of this report.", x=name))]


TELLING: Final[Mapping[str, Callable[[Voice, Any], Told]]] = {
    "place": place,
    "people": people,
    "injuries": injuries,
    "equipment": equipment,
    "costs": costs,
    "causes": causes,
    "excluded_causes": excluded,
    "work": work,
    "spills": spills,
    "actions": actions,
    "informed": informed,
    "report_number": report_number,
    "written_by": author,
}
"""How each group is told."""

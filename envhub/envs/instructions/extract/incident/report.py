"""Incident reports: the sentences of a record, in sections."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.instructions.extract.incident import sentences
from envhub.envs.instructions.extract.incident.vocabulary import ACTIONS, CAUSES, COSTS, EQUIPMENT, EVENTS, SUBSTANCES
from envhub.envs.instructions.extract.people import full_name
from envhub.envs.instructions.extract.record import Manner, Note, Record, mistaken
from envhub.envs.instructions.extract.voice import Told, Voice

_SECTIONS: Final = ("head", "what", "people", "injuries", "damage", "causes", "actions", "added", "end")
_HEADINGS: Final = {
    "what": "What happened",
    "people": "People",
    "injuries": "Injuries",
    "damage": "Damage and costs",
    "causes": "Causes",
    "actions": "Actions",
}


def write_report(rng: Stream, record: Record, manner: Manner) -> Note:
    """Tell a record."""
    voice = Voice(rng, {}, date.fromisoformat(record["date"]), manner.varied)
    told = mistaken(record)
    parts: Told = [("what", _opening(voice, record))]
    for group, tell in sentences.TELLING.items():
        if group in told:
            parts += tell(voice, told[group])
    parts += _distractors(voice, record, manner.distractors)
    parts += _corrections(voice, record)
    sections: dict[str, list[str]] = {"head": [f"Report of {voice.day(voice.seen)}."]}
    for section, text in parts:
        sections.setdefault(section, []).append(text)
    return Note(_laid_out(rng, sections), sorted(voice.units), [])


def _opening(voice: Voice, record: Record) -> str:
    values = {"event": voice.rng.choice(EVENTS), "time": sentences.time_of_day(voice, record["time"])}
    values["when"] = voice.recent(date.fromisoformat(record["happened"]))
    return voice.say(
        "{WHEN_} at {time}, {event}.".replace("{WHEN_}", values["when"][:1].upper() + values["when"][1:]),
        "The incident happened {when} at {time}: {event}.",
        "At {time} {when}, {event}.",
        **values,
    )


def _distractors(voice: Voice, record: Record, count: int) -> Told:
    found: Told = []
    for make in voice.rng.sample(_OTHERS, len(_OTHERS)):
        if len(found) < count and (sentence := make(voice, record["told"], record)) is not None:
            found.append(sentence)
    return found


def _nobody(voice: Voice, record: Record) -> str:
    return full_name(voice.rng, avoid=record["cast"])


def _absent(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    templates = ("{x} was on leave that day.", "{x} heard of it in the canteen later.", "{x} had the day off.")
    return "people", voice.say(*templates, x=_nobody(voice, record))


def _unhurt(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    return "injuries", voice.say(
        "{x}, who had just left, was not hurt.",
        "{x} heard the noise in the office and got a fright, no more.",
        x=_nobody(voice, record),
    )


def _parked(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    item = voice.rng.choice(list(EQUIPMENT))
    id = f"{EQUIPMENT[item]}-{voice.rng.between(100, 199)}"
    templates = (
        "The {x} {id} was parked outside and had nothing to do with it.",
        "The {x} {id} was in for service that week.",
    )
    return "damage", voice.say(*templates, x=item, id=id)


def _offer(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    templates = (
        "A new gate would cost {n}.",
        "We have an offer over {n} for a camera.",
        "A fence was once priced at {n}.",
    )
    return "damage", voice.say(*templates, n=sentences.money(voice, 50 * voice.rng.between(30, 160)))


def _last_year(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    name = voice.rng.choice([name for name in CAUSES if name not in told.get("causes", ())])
    templates = ("A similar incident last year had another cause: {x}.", "In an earlier case it had been {x}.")
    return "causes", voice.say(*templates, x=CAUSES[name][0])


def _rejected(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    taken = {each["action"] for each in told.get("actions", ())}
    name = voice.rng.choice([name for name in ACTIONS if name not in taken])
    templates = ("It was suggested to {x}, but we decided against it.", "Whether to {x} is still open.")
    return "actions", voice.say(*templates, x=ACTIONS[name][0])


def _no_leak(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    taken = {each["substance"] for each in told.get("spills", ())}
    name = voice.rng.choice([name for name in SUBSTANCES if name not in taken])
    return "damage", voice.say("No {x} leaked.", "The tank of {x} stayed tight.", x=name)


def _no_cost(voice: Voice, told: JSON, record: Record) -> tuple[str, str] | None:
    free = [name for name in COSTS if name not in {each["what"] for each in told.get("costs", ())}]
    return ("damage", voice.say("There were no costs for {x}.", x=voice.rng.choice(free))) if free else None


def _talk(voice: Voice, told: JSON, record: Record) -> tuple[str, str]:
    return "what", voice.say(
        "It was raining, as it had all week.", "The radio was on.", "The shift had just had its tea.",
        "A school class was visiting, at a safe distance.",
    )  # fmt: skip


_OTHERS: Final[tuple[Callable[[Voice, Any, Record], tuple[str, str] | None], ...]] = (
    _absent, _unhurt, _parked, _offer, _last_year, _rejected, _no_leak, _no_cost, _talk,
)  # fmt: skip


def _corrections(voice: Voice, record: Record) -> Told:
    if not record["corrections"]:
        return []
    lead = voice.say("Addendum.", "Corrections:", "Added after the meeting:", "What this report has wrong:")
    told: Told = [("added", lead)]
    for group, at, _, wrong in record["corrections"]:
        about = record["told"][group] if at is None else record["told"][group][at]
        told.append(("added", _CORRECTED[group](voice, about, wrong)))
    return told


def _cost(voice: Voice, each: JSON, wrong: int) -> str:
    n, no = sentences.money(voice, each["dollars"]), sentences.money(voice, wrong)
    templates = (
        "The amount for {x} is {n}, not {no}.",
        "For {x}, read {n} instead of {no}.",
        "By the invoice, {x} came to {n}.",
    )
    return voice.say(*templates, x=each["what"], n=n, no=no)


def _injury(voice: Voice, each: JSON, wrong: str) -> str:
    templates = (
        "For {x}, it is the {right} side, not the {no} one.",
        "{x} is hurt on the {right} side; the report has the {no} one.",
    )
    return voice.say(*templates, x=each["person"], right=each["side"], no=wrong)


def _spill(voice: Voice, each: JSON, wrong: int) -> str:
    n, no = sentences.litres(voice, each["litres"]), sentences.litres(voice, wrong)
    templates = ("The amount of {x} was measured: {n}, not {no}.", "For {x}, read {n} instead of {no}.")
    return voice.say(*templates, x=each["substance"], n=n, no=no)


def _action(voice: Voice, each: JSON, wrong: str) -> str:
    day = voice.day(date.fromisoformat(each["due"]))
    templates = ("The date agreed to {x} is {day}.", "There is a new date to {x}: {day}.")
    return voice.say(*templates, x=ACTIONS[each["action"]][0], day=day)


def _work(voice: Voice, about: JSON, wrong: str) -> str:
    values = {"t": sentences.time_of_day(voice, about["resumed"]), "no": sentences.time_of_day(voice, wrong)}
    return voice.say("Work went on at {t}, not at {no}.", "By the log, work went on at {t}.", **values)


def _report(voice: Voice, value: str, wrong: str) -> str:
    return voice.say(
        "The number of this report is {x}, not {no}.", "This report is filed under {x} now.", x=value, no=wrong
    )


def _damage(voice: Voice, each: JSON, wrong: bool) -> str:
    if each["damaged"]:
        templates = ("A second look at {id} did find damage.", "{id} is damaged after all.")
    else:
        templates = ("A second look showed that {id} is not damaged.", "{id} is undamaged after all.")
    return voice.say(*templates, id=each["id"])


_CORRECTED: Final[dict[str, Callable[[Voice, Any, Any], str]]] = {
    "costs": _cost,
    "injuries": _injury,
    "spills": _spill,
    "actions": _action,
    "work": _work,
    "report_number": _report,
    "equipment": _damage,
}


def _laid_out(rng: Stream, sections: dict[str, list[str]]) -> list[str]:
    kind = rng.below(3)
    texts = {name: " ".join(sections[name]).replace("m..", "m.") for name in _SECTIONS if name in sections}
    if kind == 0:
        return [f"{_HEADINGS[name]}: {text}" if name in _HEADINGS else text for name, text in texts.items()]
    if kind == 1:
        return list(texts.values())
    added = [texts.pop("added")] if "added" in texts else []
    return [" ".join(texts.values()), *added]

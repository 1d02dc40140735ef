"""Records of clinical notes: facts about one patient at one visit.

::

    record = draw_record(rng, Style(groups=5, beyond=1, items=2, corrections=1, silent=20))
    answer(record)            # the groups that are asked for
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.vocabulary import (
    CLASHES,
    CLINICS,
    CONDITIONS,
    CONTACTS,
    DRUGS,
    LATE,
    PROCEDURES,
    REACTIONS,
    RELATIVES,
    SUBSTANCES,
    SYMPTOMS,
    TESTS,
)
from envhub.envs.instructions.extract.people import draw_person, full_name
from envhub.envs.instructions.extract.record import Record, Style, chosen

_DAYS: Final = (1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28, 30, 60, 90)
_FAMILIAL: Final = ("asthma", "gout", "hypertension", "migraine", "myocardial infarction", "stroke", "type 2 diabetes")


def draw_record(rng: Stream, style: Style) -> Record:
    """A patient, a visit and the groups of the note."""
    seen = date(2029, 2, 1) + timedelta(days=rng.below(1400))
    person = draw_person(rng)
    names = rng.sample(list(GROUPS), min(len(GROUPS), style.groups + style.beyond))
    record: Record = {"date": seen.isoformat(), "person": person, "asked": sorted(names[: style.groups]), "told": {}}
    for name in GROUPS:  # in a fixed order, because drugs follow conditions and allergies
        if name in names:
            record["told"][name] = GROUPS[name](rng, record, style)
    record["corrections"] = _corrections(rng, record, style.corrections)
    return record


def answer(record: Record) -> Record:
    """The document that the schema asks for."""
    person = record["person"]
    about = {"sex": person["sex"], "age": person["age"]}
    return {"visit_date": record["date"], "patient": about, **{name: record["told"][name] for name in record["asked"]}}


def _year(rng: Stream, record: Record, least: int = 18) -> int:
    """A year before that of the visit.

    The patient had at least the age ``least`` in it.
    """
    now = int(record["date"][:4])
    return rng.between(now - min(30, record["person"]["age"] - least), now - 1)


def _symptoms(rng: Stream, record: Record, style: Style) -> JSON:
    names = rng.sample(list(SYMPTOMS), style.count(rng, 5))
    return [{"name": name, "days": style.maybe(rng, _days(rng, name))} for name in names]


def _days(rng: Stream, name: str) -> int:
    return rng.choice([days for days in _DAYS if days <= 14 or not SYMPTOMS[name].brief])


def _denied(rng: Stream, record: Record, style: Style) -> JSON:
    present = {each["name"] for each in record["told"].get("symptoms", ())}
    return sorted(rng.sample([name for name in SYMPTOMS if name not in present], style.count(rng, 4)))


def _conditions(rng: Stream, record: Record, style: Style) -> JSON:
    found: list[JSON] = []
    age = record["person"]["age"]
    for name in rng.sample([name for name in CONDITIONS if CONDITIONS[name].least < age], style.count(rng, 5)):
        about = CONDITIONS[name]
        past = about.event or (about.resolves and rng.below(2) == 0)
        status = "ruled_out" if rng.below(100) < style.silent // 2 else "past" if past else "current"
        year = None if status == "ruled_out" else style.maybe(rng, _year(rng, record, about.least))
        found.append({"name": name, "status": status, "year": year})
    return found


def _family(rng: Stream, record: Record, style: Style) -> JSON:
    relatives = rng.sample(RELATIVES, style.count(rng, 3))
    age = record["person"]["age"]
    young = [name for name in _FAMILIAL if CONDITIONS[name].least < age]
    found = [(each, rng.choice(young if each in ("brother", "sister") else _FAMILIAL)) for each in relatives]
    return [
        {
            "relative": relative,
            "condition": condition,
            "age": style.maybe(rng, _relatives_age(rng, record, relative, condition)),
        }
        for relative, condition in found
    ]


def _relatives_age(rng: Stream, record: Record, relative: str, condition: str) -> int:
    """An age at which the relative can have had the diagnosis."""
    most = record["person"]["age"] + {"brother": 9, "sister": 9}.get(relative, 24)
    least = CONDITIONS[condition].least
    return rng.between(least, min(84, max(most, least + 9)))


def _allergies(rng: Stream, record: Record, style: Style) -> JSON:
    kind = rng.below(100)
    if kind < style.silent // 2:
        return None
    if kind < 20:
        return []
    names = rng.sample(SUBSTANCES, style.count(rng, 3))
    return [{"substance": name, "reaction": style.maybe(rng, rng.choice(list(REACTIONS)))} for name in names]


def _medications(rng: Stream, record: Record, style: Style) -> JSON:
    told = record["told"]
    has = {each["name"] for each in told.get("conditions", ()) if each["status"] == "current"}
    banned = {drug for each in told.get("allergies") or () for drug in CLASHES.get(each["substance"], ())}
    fit = [name for name, about in DRUGS.items() if name not in banned and has & {*about.treats}]
    free = [name for name in DRUGS if name not in banned and name not in fit]
    if "conditions" in told:  # the note lists what the patient has, so other drugs would raise questions
        free = [name for name in free if not DRUGS[name].treats]
    count = style.count(rng, 5)
    names = [*rng.sample(fit, min(len(fit), count)), *rng.sample(free, min(len(free), count))][:count]
    return [_taken(rng, name) for name in names]


def _taken(rng: Stream, name: str) -> JSON:
    about = DRUGS[name]
    status = rng.choice(("continued", "continued", "started", "stopped", "changed"))
    dose = rng.choice(about.doses)
    per_day = rng.choice(about.per_day)
    return {"drug": name, "dose_mg": dose, "per_day": per_day, "status": status}


def _vitals(rng: Stream, record: Record, style: Style) -> JSON:
    systolic = rng.between(98, 176)
    inches = rng.between(60, 66) if record["person"]["sex"] == "female" else rng.between(66, 74)
    height = int(Decimal(inches) * Decimal("2.54") + Decimal("0.5"))
    values = {
        "temperature_c": f"{rng.between(362, 394) / 10:.1f}",
        "pulse": rng.between(54, 118),
        "systolic": systolic,
        "diastolic": systolic * rng.between(55, 67) // 100,
        "weight_kg": int(Decimal(height) ** 2 * rng.between(20, 32) / 10_000),
        "height_cm": height,
    }
    shown = ("temperature_c", "pulse", "systolic", "weight_kg", "height_cm")
    kept = {name for name in shown if style.maybe(rng, True)} if style.items > 1 else {*rng.sample(shown, 2)}
    kept |= {"diastolic"} if "systolic" in kept else set()
    return {name: value if name in kept else None for name, value in values.items()}


def _labs(rng: Stream, record: Record, style: Style) -> JSON:
    seen, found = date.fromisoformat(record["date"]), []
    for name in rng.sample(list(TESTS), style.count(rng, 5)):
        about = TESTS[name]
        value = Decimal(rng.between(about.low, about.high)).scaleb(-about.places)
        taken = seen - timedelta(days=rng.choice((0, 1, 1, 2, 3, 5, 8, 12, 20)))
        found.append({"test": name, "value": str(value), "taken_on": taken.isoformat()})
    return found


def _habits(rng: Stream, record: Record, style: Style) -> JSON:
    status = rng.choice(("never", "former", "current"))
    smoked = None if status == "never" else style.maybe(rng, rng.choice((5, 8, 10, 15, 20, 30, 40)))
    quit_year = style.maybe(rng, _year(rng, record)) if status == "former" else None
    units = style.maybe(rng, rng.choice((0, 4, 6, 7, 10, 14, 21, 28)))
    return {"smoking": status, "cigarettes_per_day": smoked, "quit_year": quit_year, "alcohol_units_per_week": units}


def _procedures(rng: Stream, record: Record, style: Style) -> JSON:
    found: list[JSON] = []
    born = int(record["date"][:4]) - record["person"]["age"]
    age = record["person"]["age"]
    for name in rng.sample([name for name in PROCEDURES if age > 46 or name not in LATE], style.count(rng, 4)):
        year = rng.between(max(born + (45 if name in LATE else 18), 2004), int(record["date"][:4]) - 1)
        done = date(year, 1, 1) + timedelta(days=rng.below(365))
        found.append({"name": name, "date": style.maybe(rng, done.isoformat())})
    return found


def _follow_up(rng: Stream, record: Record, style: Style) -> JSON:
    if rng.below(100) < style.silent // 2:
        return {"date": None, "clinic": None}
    seen = date.fromisoformat(record["date"]) + timedelta(days=rng.choice((3, 5, 7, 10, 14, 21, 28, 42)))
    return {"date": seen.isoformat(), "clinic": style.maybe(rng, rng.choice(CLINICS))}


def _contact(rng: Stream, record: Record, style: Style) -> JSON:
    relation = rng.choice(CONTACTS)
    if record["person"]["age"] < 48 and relation in ("daughter", "son"):
        relation = "friend"
    name = full_name(rng, {"daughter": "female", "son": "male"}.get(relation))
    return {"name": name, "relation": relation, "phone": f"555-{rng.between(1000, 9999)}"}


def _author(rng: Stream, record: Record, style: Style) -> JSON:
    return full_name(rng, avoid=named(record["told"]))


def named(told: JSON) -> set[str]:
    """Names of people in the groups."""
    return {told.get("emergency_contact", {}).get("name", ""), told.get("written_by", "")}


GROUPS: Final[Mapping[str, Callable[[Stream, Record, Style], JSON]]] = {
    "symptoms": _symptoms,
    "denied_symptoms": _denied,
    "conditions": _conditions,
    "family_history": _family,
    "allergies": _allergies,
    "medications": _medications,
    "vitals": _vitals,
    "labs": _labs,
    "habits": _habits,
    "procedures": _procedures,
    "follow_up": _follow_up,
    "emergency_contact": _contact,
    "written_by": _author,
}
"""How each group is drawn."""


def _corrections(rng: Stream, record: Record, count: int) -> list[JSON]:
    """Wrong statements of the body: group, item, field and wrong value.

    An item that must be dropped has no field.
    """
    possible: list[JSON] = []
    for group in record["asked"]:
        possible += _correctable(rng, record, group)
    return chosen(rng, possible, count)


def _correctable(rng: Stream, record: Record, group: str) -> list[JSON]:
    told, found = record["told"][group], list[JSON]()
    if group == "medications":
        for at, each in enumerate(told):
            others = [dose for dose in DRUGS[each["drug"]].doses if dose != each["dose_mg"]]
            if each["status"] in ("continued", "started"):
                found.append([group, at, "dose_mg", rng.choice(others)])
    elif group == "labs":
        for at, each in enumerate(told):
            about = TESTS[each["test"]]
            wrong = str(Decimal(rng.between(about.low, about.high)).scaleb(-about.places))
            if wrong != each["value"]:
                found.append([group, at, "value", wrong])
    elif group == "vitals" and told["weight_kg"]:
        found.append([group, None, "weight_kg", told["weight_kg"] + rng.choice((-12, -9, 8, 11))])
    elif group == "emergency_contact":
        found.append([group, None, "phone", f"555-{rng.between(1000, 9999)}"])
    elif group in ("symptoms", "conditions", "family_history", "procedures", "allergies"):
        found += _correctable_items(rng, record, group)
    return [
        each for each in found if each[2] is None or (told if each[1] is None else told[each[1]])[each[2]] != each[3]
    ]


def _correctable_items(rng: Stream, record: Record, group: str) -> list[JSON]:
    told, found = record["told"][group] or [], list[JSON]()
    if group == "symptoms":
        found += [[group, at, "days", _days(rng, each["name"])] for at, each in enumerate(told) if each["days"]]
    elif group == "conditions":
        found += [
            [group, at, "year", _year(rng, record, CONDITIONS[each["name"]].least)]
            for at, each in enumerate(told)
            if each["year"]
        ]
        free = {"pneumonia", "shingles", "tuberculosis"} - {each["name"] for each in told}
        if free:
            found.append([group, None, None, {"name": rng.choice(sorted(free)), "status": "past", "year": None}])
    elif group == "family_history":
        found += [
            [group, at, "age", _relatives_age(rng, record, each["relative"], each["condition"])]
            for at, each in enumerate(told)
            if each["age"]
        ]
    elif group == "procedures":
        for at, each in enumerate(told):
            if each["date"]:
                found.append([group, at, "date", _another_day(rng, each["date"])])
    else:
        for at, each in enumerate(told):
            if each["reaction"]:
                found.append([group, at, "reaction", rng.choice(list(REACTIONS))])
    return found


def _another_day(rng: Stream, day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=rng.between(1, 25))).isoformat()

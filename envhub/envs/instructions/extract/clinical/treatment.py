"""Sentences on drugs, allergies, procedures and what happens next."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.vocabulary import (
    DRUGS,
    FREQUENCIES,
    MASS,
    PROCEDURES,
    REACTIONS,
    SHORT_FREQUENCIES,
)
from envhub.envs.instructions.extract.people import an
from envhub.envs.instructions.extract.voice import Told, Voice, number


def dose(voice: Voice, amount: str, tablets: bool = True) -> str:
    """A dose in mg, in grams or micrograms, or as tablets."""
    mg = Decimal(amount)
    forms = [f"{amount} mg"]
    if mg < 1:
        forms.append(f"{mg * 1000:.0f} micrograms")
    if mg >= 500 and mg % 250 == 0:
        forms.append(f"{mg / 1000:f} g")
    if tablets and mg >= 2 and mg % 2 == 0:
        forms.append(f"two tablets of {mg / 2:f} mg")
        if mg <= 100:
            forms.append(f"half a tablet of {mg * 2:f} mg")
    if not voice.vary():
        return forms[0]
    return voice.rng.choice(forms)


def frequency(voice: Voice, per_day: int) -> str:
    """How often a drug is taken."""
    short = SHORT_FREQUENCIES[per_day]
    if voice.terse and voice.vary():
        voice.short.add(short)
        return short
    return voice.pick(FREQUENCIES[per_day])


def medications(voice: Voice, items: list[JSON]) -> Told:
    """Drugs that go on, start, stop or change."""
    told: Told = []
    going = [each for each in items if each["status"] == "continued"]
    if len(going) > 1 and going[0]["per_day"] == going[1]["per_day"] and voice.vary():
        one, two = going[:2]
        text = voice.say(
            "{She} takes {one} and {two}, {d1} and {d2} respectively, each {often}.",
            "{She} is on {one} and {two} ({d1} of the former and {d2} of the latter), both {often}.",
            one=one["drug"],
            two=two["drug"],
            d1=dose(voice, one["dose_mg"], False),
            d2=dose(voice, two["dose_mg"], False),
            often=frequency(voice, one["per_day"]),
        )
        told.append(("medication", text))
        items = [each for each in items if each not in (one, two)]
    for each in items:
        values = {"x": each["drug"], "d": dose(voice, each["dose_mg"]), "often": frequency(voice, each["per_day"])}
        told += _medication(voice, each, values)
    return told


def _medication(voice: Voice, each: JSON, values: dict[str, str]) -> Told:
    if each["status"] == "continued":
        templates = ["{X} {d} {often}."] if voice.terse else [
            "{She} takes {d} of {x} {often}.",
            "{She} is on {x}, {d} {often}.",
            "{X}, {d} {often}, goes on unchanged.",
            "{She} has been taking {x} for a while: {d} {often}.",
        ]  # fmt: skip
        return [("medication", voice.say(*templates, **values))]
    if each["status"] == "started":
        templates = [
            "New today: {x}, {d} {often}.",
            "I prescribed {x}, {d} {often}.",
            "We start {x} at {d} {often}.",
            "From today on {she} takes {d} of {x} {often}.",
        ]
        return [("plan", voice.say(*templates, **values))]
    if each["status"] == "stopped":
        templates = [
            "{X} ({d} {often} until now) was stopped today.",
            "Until today {she} took {d} of {x} {often}; it is discontinued.",
            "{X}, so far {d} {often}, is no longer needed and was stopped.",
        ]
        return [("plan", voice.say(*templates, **values))]
    old = voice.rng.choice([other for other in DRUGS[each["drug"]].doses if other != each["dose_mg"]])
    up = Decimal(old) < Decimal(each["dose_mg"])
    values |= {"old": dose(voice, old, False), "turn": "raised" if up else "lowered", "go": "up" if up else "down"}
    values["d"] = dose(voice, each["dose_mg"], False)
    if voice.vary():
        before = "{She} takes {old} of {x} {often}."
        after = [
            "The dose of {x} is {turn} to {d}, as often as before.",
            "{X} goes {go} to {d}; how often stays the same.",
        ]
        return [("medication", voice.say(before, **values)), ("plan", voice.say(*after, **values))]
    templates = [
        "The dose of {x} is {turn} from {old} to {d}, taken {often}.",
        "{X} goes {go} from {old} to {d}, still {often}.",
        "Instead of {old} of {x}, {she} now takes {d} {often}.",
    ]
    return [("plan", voice.say(*templates, **values))]


def allergies(voice: Voice, items: JSON) -> Told:
    """Allergies, or their absence; nothing if they are not mentioned."""
    if items is None:
        return []
    if not items:
        none = ("No known allergies.", "{She} has no allergies that {she} knows of.", "Allergies: none.")
        return [("allergy", voice.say(*none))]
    told: Told = []
    for each in items:
        values = {"x": each["substance"], "r": REACTIONS.get(each["reaction"] or "", "")}
        if each["reaction"]:
            templates = [
                "{She} is allergic to {x}, which causes {r}.",
                "{X}: allergic, with {r}.",
                "Allergy to {x} (reaction: {r}).",
                "Contact with {x} has led to {r}; {she} is allergic to it.",
            ]
        else:
            templates = [
                "{She} is allergic to {x}; what happens is not known.",
                "Known allergy to {x}.",
                "There is an allergy to {x}, with no details of the reaction.",
            ]
        told.append(("allergy", voice.say(*templates, **values)))
    return told


def procedure(voice: Voice, name: str) -> str:
    """A procedure with its article."""
    form = voice.pick(PROCEDURES[name])
    return form if form in MASS else an(form)


def procedures(voice: Voice, items: list[JSON]) -> Told:
    """Procedures that were done."""
    told: Told = []
    for each in items:
        values = {"x": procedure(voice, each["name"])}
        if each["date"]:
            values["day"] = voice.day(date.fromisoformat(each["date"]))
            templates = [
                "{She} had {x} on {day}.",
                "On {day} {she} underwent {x}.",
                "{X} was done on {day}.",
                "Operations and examinations: {x} ({day}).",
            ]
        else:
            templates = ["{She} has had {x}; the date is not known.", "{X} was done at some time in the past."]
        if values["x"].startswith("removal"):
            templates = [text for text in templates if "had {x}" not in text]
        told.append(("past", voice.say(*templates, **values)))
    return told


def follow_up(voice: Voice, plan: JSON) -> Told:
    """When and where the patient is seen again."""
    if plan["date"] is None:
        return [
            (
                "plan",
                voice.say("No further visit is planned.", "{She} does not need to come again.", "Follow-up: none."),
            )
        ]
    values = {"when": voice.ahead(date.fromisoformat(plan["date"])), "c": plan["clinic"]}
    if plan["clinic"]:
        templates = [
            "{She} will be seen again {when}, by {c}.",
            "Next appointment {when} ({c}).",
            "Follow-up {when} in {c}.",
            "We arranged a visit {when} with {c}.",
        ]
    else:
        templates = ["{She} will be seen again {when}.", "Next appointment {when}.", "Please come back {when}, I said."]
    return [("plan", voice.say(*templates, **values))]


def contact(voice: Voice, person: JSON) -> Told:
    """Whom to call in an emergency."""
    templates = (
        "In an emergency, call {her} {rel} {name} at {phone}.",
        "Emergency contact: {name} ({rel}), {phone}.",
        "{Her} {rel}, {name}, is the person to call ({phone}).",
        "To be informed if something happens: {her} {rel} {name}, telephone {phone}.",
    )
    values = {"rel": person["relation"], "name": person["name"], "phone": person["phone"]}
    return [("contact", voice.say(*templates, **values))]


def author(voice: Voice, name: str) -> Told:
    """Who wrote the note."""
    role = voice.rng.choice(("", ", general practitioner", ", resident"))
    templates = ("Written by Dr {name}{role}.", "Signed: Dr {name}{role}", "Dr {name}{role}, author of this note.")
    return [("signature", voice.say(*templates, name=name, role=role))]


def habits(voice: Voice, about: JSON) -> Told:
    """Smoking and alcohol."""
    told: Told = []
    status, smoked, quit_year = about["smoking"], about["cigarettes_per_day"], about["quit_year"]
    packs = {10: "half a pack of cigarettes", 20: "a pack of cigarettes", 40: "two packs of cigarettes"}
    amount = f"{smoked} cigarettes"
    if smoked in packs and voice.vary():
        amount = packs[smoked]
    if status == "never":
        templates = ["{She} has never smoked.", "Lifelong non-smoker.", "{She} does not smoke and never did."]
    elif status == "current":
        templates = ["{She} smokes {n} a day.", "Current smoker ({n} a day).", "{She} gets through {n} a day."]
        if smoked is None:
            templates = ["{She} smokes.", "Current smoker.", "{She} smokes, but does not say how much."]
    elif quit_year and smoked:
        templates = ["{She} smoked {n} a day until {year}.", "Ex-smoker: {n} a day, stopped in {year}."]
    elif quit_year:
        templates = ["{She} gave up smoking in {year}.", "Ex-smoker, stopped in {year}."]
    elif smoked:
        templates = ["{She} no longer smokes; it used to be {n} a day.", "Ex-smoker ({n} a day in the past)."]
    else:
        templates = ["{She} used to smoke.", "Ex-smoker.", "{She} no longer smokes."]
    told.append(("social", voice.say(*templates, n=amount, year=quit_year)))
    units = about["alcohol_units_per_week"]
    if units == 0:
        told.append(("social", voice.say("{She} does not drink alcohol.", "Alcohol: none.", "Teetotal.")))
    elif units:
        daily = units % 7 == 0 and voice.vary()
        n = f"{number(units // 7)} unit{'' if units == 7 else 's'}" if daily else f"{units} units"
        every = "a day" if daily else "a week"
        templates = [
            "{She} drinks {n} of alcohol {every}.",
            "Alcohol: {n} {every}.",
            "{She} admits to {n} of alcohol {every}.",
        ]
        told.append(("social", voice.say(*templates, n=n, every=every)))
    return told

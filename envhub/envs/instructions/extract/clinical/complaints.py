"""Sentences on the visit, symptoms, diagnoses and relatives."""

from __future__ import annotations

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.vocabulary import CONDITIONS, SYMPTOMS
from envhub.envs.instructions.extract.people import an
from envhub.envs.instructions.extract.voice import Told, Voice


def symptom(voice: Voice, name: str, article: bool = True) -> str:
    """A symptom, with an article if it takes one."""
    about = SYMPTOMS[name]
    form = voice.pick(about.forms)
    return an(form) if article and about.article else form


def condition(voice: Voice, name: str, article: bool = False) -> str:
    """A diagnosis under one of its names, perhaps with its article."""
    about = CONDITIONS[name]
    short = voice.abbreviated(about.short, "")
    if short:
        return an_abbreviation(short) if article and about.article else short
    form = voice.pick(about.forms)
    return an(form) if article and about.article else form


def an_abbreviation(short: str) -> str:
    """An abbreviation with the article of its first letter's name."""
    return f"{'an' if short[0] in 'AEFHILMNORSX' else 'a'} {short}"


def opening(voice: Voice, symptoms: JSON) -> tuple[str, list[JSON]]:
    """The first sentence, and the symptoms that it leaves out."""
    dated = [each for each in symptoms or () if each["days"]]
    lead, rest = dated[:2], [each for each in symptoms or () if each not in dated[:2]]
    if not lead:
        reason = voice.rng.choice(
            ("for a routine review", "for a check of the medication", "for the yearly examination")
        )
        return voice.say(
            "{Name}, {an_age}-year-old {job}, was seen on {day} {why}.",
            "On {day} I saw {Name}, {an_age}-year-old {job}, {why}.",
            "{Name} is {an_age}-year-old {job}. {She} came to the clinic on {day} {why}.",
            "Visit of {day}: {Name}, {an_age}-year-old {job}, {why}.",
            why=reason,
            day=voice.day(voice.seen),
        ), rest
    if len(lead) == 2 and lead[0]["days"] == lead[1]["days"] and voice.vary():
        names = [symptom(voice, each["name"]) for each in lead]
        what = f"{names[0]} and {names[1]}, both for {voice.span(lead[0]['days'])}"
    else:
        what = " and ".join(f"{symptom(voice, each['name'])} {voice.lasting(each['days'])}" for each in lead)
    return voice.say(
        "{Name}, {an_age}-year-old {job}, was seen on {day} because of {what}.",
        "On {day} I saw {Name}, {an_age}-year-old {job}, who reports {what}.",
        "{Name} is {an_age}-year-old {job}. {She} came to the clinic on {day} with {what}.",
        "Visit of {day}: {Name}, {an_age}-year-old {job}, presents with {what}.",
        "Seen on {day}: {Name}, {age}, {job}, a {woman} with {what}.",
        "I met {Name}, {an_age}-year-old {job}, in the clinic on {day}. {Her} main complaint is {what}.",
        what=what,
        day=voice.day(voice.seen),
    ), rest


def symptoms(voice: Voice, items: list[JSON]) -> Told:
    """The symptoms that the first sentence left out."""
    told: Told = []
    for each in items:
        name = symptom(voice, each["name"])
        templates: tuple[str, ...]
        if each["days"]:
            templates = (
                "{She} has also had {x} {span}.",
                "In addition, {she} describes {x} {span}.",
                "{She} complains of {x} {span}, too.",
                "On asking, {she} mentions {x} {span}.",
                "{X} {span} as well.",
            )
            told.append(("history", voice.say(*templates, x=name, span=voice.lasting(each["days"]))))
        else:
            templates = (
                "{She} also has {x}, but cannot say since when.",
                "{She} noticed {x} as well, at a time that {she} does not remember.",
                "In addition, {she} mentions {x}, of unknown duration.",
                "{X}, too, since an unknown date.",
            )
            told.append(("history", voice.say(*templates, x=name)))
    return told


def denied(voice: Voice, names: list[str]) -> Told:
    """Symptoms that the patient does not have, in one or two sentences."""
    told: Told = []
    left = list(names)
    while left:
        part, left = left[:3], left[3:]
        bare = [symptom(voice, name, article=False) for name in part]
        either = voice.listed(bare, "or")
        templates = [
            "{She} denies {either}.",
            "No {either}.",
            "{She} has not had any {either}.",
            "{She} has noticed no {either}.",
            "{She} reports no {either}.",
            "Asked about {both}, {she} says no.",
        ]
        if len(part) == 2:
            templates.append("{She} has had neither {one} nor {two}.")
            templates.append("{She} reports neither {one} nor {two}.")
        values = {"one": bare[0], "two": bare[-1], "both": voice.listed(bare)}
        told.append(("history", voice.say(*templates, either=either, **values)))
    return told


def conditions(voice: Voice, items: list[JSON]) -> Told:
    """Diagnoses: current, past and excluded ones."""
    told: Told = []
    for each in items:
        name, year, status = each["name"], each["year"], each["status"]
        bare, had = condition(voice, name), condition(voice, name, article=True)
        if status == "ruled_out":
            templates = [
                "{X} was suspected earlier, but has been ruled out.",
                "Tests have excluded {x}.",
                "An earlier suspicion of {x} was not confirmed, and the diagnosis was dropped.",
                "{X} was considered in the past and ruled out.",
            ]
        elif status == "past" and not CONDITIONS[name].event:
            templates = [
                "{She} had {had} in {year} and has recovered.",
                "{X}, diagnosed in {year}, has resolved.",
                "Fully recovered from {x} (diagnosed {year}).",
            ]
            if year is None:
                templates = [
                    "{X} has resolved.",
                    "{She} has fully recovered from {x}.",
                    "{She} used to have {had}; it is over.",
                ]
        elif status == "past":
            templates = [
                "{She} had {had} in {year}.",
                "{X} in {year}.",
                "In {year} {she} was treated for {had}.",
                "History of {x} ({year}).",
            ]
            if year is None:
                templates = [
                    "{She} once had {had}.",
                    "{X} in the past.",
                    "Previous {x}.",
                    "History of {x}; the year is not known.",
                ]
        else:
            templates = [
                "{She} has had {had} since {year}.",
                "Known {x} since {year}.",
                "{X}, diagnosed in {year}, is under treatment.",
                "{She} has lived with {x} since {year}.",
                "{X} was diagnosed in {year} and persists.",
            ]
            if year is None:
                templates = ["{She} has {had}.", "Known {x}.", "{She} is under treatment for {x}.", "{X} persists."]
        told.append(("past", voice.say(*templates, x=bare, had=had, year=year)))
    return told


def family(voice: Voice, items: list[JSON]) -> Told:
    """Diagnoses of relatives."""
    told: Told = []
    before: JSON = None
    for each in items:
        bare, had = condition(voice, each["condition"]), condition(voice, each["condition"], article=True)
        values = {"rel": each["relative"], "x": bare, "had": had, "n": each["age"]}
        same = before is not None and before["condition"] == each["condition"]
        if same and voice.vary():
            templates = ["The same goes for {her} {rel}, at {n}.", "{Her} {rel} had it as well, at {n}."]
            if each["age"] is None:
                templates = ["The same goes for {her} {rel}, at an unknown age."]
        elif each["age"]:
            templates = [
                "{Her} {rel} had {had} at the age of {n}.",
                "At {n}, {her} {rel} was diagnosed with {had}.",
                "{X} in {her} {rel}, at {n}.",
                "{Her} {rel} was {n} at the time of the diagnosis of {had}.",
            ]
        else:
            templates = [
                "{Her} {rel} had {had} at an unknown age.",
                "{X} in {her} {rel}.",
                "{Her} {rel} has had {had}.",
            ]
        told.append(("family", voice.say(*templates, **values)))
        before = each
    return told

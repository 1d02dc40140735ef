"""Sentences about other people, plans, possibilities and small talk.

They state nothing that the schema asks for.

Each fits the record: it denies nothing that the record states, and nothing that the patient's drugs are given for.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.complaints import condition, symptom
from envhub.envs.instructions.extract.clinical.record import named
from envhub.envs.instructions.extract.clinical.treatment import dose, frequency, procedure
from envhub.envs.instructions.extract.clinical.vocabulary import CONDITIONS, DRUGS, PROCEDURES, SUBSTANCES, SYMPTOMS
from envhub.envs.instructions.extract.people import full_name
from envhub.envs.instructions.extract.voice import Told, Voice

_TALK: Final = (
    ("social", "{She} has just moved to a smaller flat and enjoys the view."),
    ("social", "{She} plays cards on Thursdays and would hate to miss a round."),
    ("social", "Two cats and a great many tomato plants keep {them} busy."),
    ("social", "{She} sleeps with the window open, even in winter."),
    ("social", "{She} walks to work and back."),
    ("history", "{She} had postponed the visit twice because of the rain."),
    ("history", "The waiting room was full, so we started late."),
    ("history", "{She} brought a list of questions, neatly numbered."),
    ("history", "{She} blames the new office chair for most things in life."),
    ("plan", "{She} had no further questions and seemed content with the plan."),
    ("plan", "We talked about sleep, salt and stairs."),
    ("plan", "{She} got a leaflet and read it on the spot."),
    ("exam", "{She} looked well and joked about the cold stethoscope."),
    ("exam", "The lungs were clear, and the heart sounds were normal."),
)


def distractors(voice: Voice, told: JSON, count: int) -> Told:
    """Sentences that state nothing about the patient's record.

    Each kind occurs at most once.
    """
    made = voice.rng.sample(_KINDS, len(_KINDS))
    found: Told = []
    for make in made:
        if len(found) < count and (sentence := make(voice, told)) is not None:
            found.append(sentence)
    talk = [(section, voice.say(text)) for section, text in voice.rng.sample(_TALK, max(0, count - len(found)))]
    return [*found, *talk]


def _names(told: JSON, group: str, field: str) -> set[str]:
    return {each[field] for each in told.get(group) or ()}


def _free(voice: Voice, names: Any, taken: set[str]) -> str:
    free: list[str] = [name for name in names if name not in taken]
    return voice.rng.choice(free)


def _others_symptom(voice: Voice, told: JSON) -> tuple[str, str]:
    name = symptom(voice, voice.rng.choice(list(SYMPTOMS)))
    return "history", voice.say(
        "{Her} {partner} has had {x} for {n} days.",
        "A colleague was sent home with {x} {n} days ago.",
        "At home, {her} {partner} complains of {x}.",
        x=name,
        n=voice.rng.between(2, 9),
    )


def _warned(voice: Voice, told: JSON) -> tuple[str, str]:
    free = _free(voice, SYMPTOMS, {*told.get("denied_symptoms", ()), *_names(told, "symptoms", "name")})
    return "plan", voice.say(
        "If {x} should develop, {she} is to call at once.",
        "{She} knows what to do in case of {x}.",
        "Should there be {x}, {she} will come back earlier.",
        x=symptom(voice, free, article=False),
    )


def _never_had(voice: Voice, told: JSON) -> tuple[str, str]:
    treated = {each for name in _names(told, "medications", "drug") for each in DRUGS[name].treats}
    free = _free(voice, CONDITIONS, treated | _names(told, "conditions", "name"))
    return "past", voice.say(
        "There is no history of {x}.", "{She} has never had {had}.", "No known {x}.",
        x=condition(voice, free), had=condition(voice, free, article=True),
    )  # fmt: skip


def _not_in_family(voice: Voice, told: JSON) -> tuple[str, str]:
    free = _free(
        voice, ("epilepsy", "psoriasis", "tuberculosis", "coeliac disease"), _names(told, "family_history", "condition")
    )
    return "family", voice.say(
        "There is no {x} in the family.", "No relative is known to have {x}.", x=condition(voice, free)
    )


def _others_drug(voice: Voice, told: JSON) -> tuple[str, str]:
    name = _free(voice, DRUGS, _names(told, "medications", "drug"))
    amount = voice.rng.choice(DRUGS[name].doses)
    return "medication", voice.say(
        "{Her} {partner} takes {d} of {x} {often}, from the same cupboard.",
        "A friend recommended {x}, {d} {often}; {Name} has not tried it.",
        x=name,
        d=dose(voice, amount),
        often=frequency(voice, voice.rng.choice(DRUGS[name].per_day)),
    )


def _old_symptom(voice: Voice, told: JSON) -> tuple[str, str]:
    free = _free(voice, SYMPTOMS, {*told.get("denied_symptoms", ()), *_names(told, "symptoms", "name")})
    return "history", voice.say(
        "{She} had {x} last winter, but that is over.",
        "Last spring {she} had {x} for some weeks; it went away by itself.",
        "{X} during a journey last year has not come back.",
        x=symptom(voice, free),
    )


def _old_drug(voice: Voice, told: JSON) -> tuple[str, str] | None:
    taken = _names(told, "medications", "drug")
    free = [name for name, about in DRUGS.items() if not about.treats and name not in taken]
    if not free:
        return None
    name = voice.rng.choice(free)
    return "medication", voice.say(
        "{X} was given up years ago.",
        "{She} took {x} for a few months as a young adult, and never again.",
        "{X} was tried long ago, {d} {often}, and did not help.",
        x=name,
        d=dose(voice, voice.rng.choice(DRUGS[name].doses)),
        often=frequency(voice, voice.rng.choice(DRUGS[name].per_day)),
    )


def _disproved(voice: Voice, told: JSON) -> tuple[str, str] | None:
    if told.get("allergies") is None:
        return None
    name = _free(voice, SUBSTANCES, _names(told, "allergies", "substance"))
    return "allergy", voice.say(
        "An allergy to {x} was suspected once, but the test was negative.",
        "An old entry, allergy to {x}, was disproved by a test.",
        x=name,
    )


def _declined(voice: Voice, told: JSON) -> tuple[str, str]:
    name = _free(voice, PROCEDURES, _names(told, "procedures", "name"))
    return "past", voice.say(
        "{She} declined {x} some years ago.",
        "{X} had been arranged once, but was called off.",
        x=procedure(voice, name),
    )


def _not_prescribed(voice: Voice, told: JSON) -> tuple[str, str]:
    name = _free(voice, DRUGS, _names(told, "medications", "drug"))
    return "plan", voice.say(
        "{X} was considered, but not prescribed.",
        "We discussed {x} and decided against it.",
        "There is no need for {x} at present.",
        x=name,
    )


def _planned(voice: Voice, told: JSON) -> tuple[str, str]:
    name = _free(voice, PROCEDURES, _names(told, "procedures", "name"))
    return "plan", voice.say(
        "{X} is an option for later.",
        "{X} will be done next year at the earliest.",
        "{She} was offered {x} and wants to think about it.",
        x=procedure(voice, name),
    )


def _others_allergy(voice: Voice, told: JSON) -> tuple[str, str]:
    return "allergy", voice.say("{Her} {partner} is allergic to {x}.", x=voice.rng.choice(SUBSTANCES))


def _tolerated(voice: Voice, told: JSON) -> tuple[str, str] | None:
    if told.get("allergies") is None:
        return None
    name = _free(voice, ("codeine", "eggs", "latex", "peanuts"), _names(told, "allergies", "substance"))
    return "allergy", voice.say("{She} tolerates {x} without any trouble.", "{X} is not a problem.", x=name).replace(
        "Eggs is", "Eggs are"
    ).replace("Peanuts is", "Peanuts are")


def _others_habit(voice: Voice, told: JSON) -> tuple[str, str]:
    return "social", voice.say(
        "{Her} {partner} smokes {n} cigarettes a day, on the balcony.",
        "{Her} {partner} stopped smoking in {year}.",
        "The colleagues drink; {her} {partner} does not.",
        n=voice.rng.choice((5, 12, 20)),
        year=voice.seen.year - voice.rng.between(2, 20),
    )


def _other_doctor(voice: Voice, told: JSON) -> tuple[str, str]:
    return "plan", voice.say(
        "The case was discussed with Dr {x}, who agrees.",
        "A copy goes to Dr {x}.",
        "Dr {x} had referred {them} to us.",
        x=full_name(voice.rng, avoid=named(told)),
    )


def _companion(voice: Voice, told: JSON) -> tuple[str, str]:
    return "history", voice.say(
        "{Her} cousin {x} drove {them} here (555-{n}).",
        "A colleague, {x}, had made the appointment.",
        x=full_name(voice.rng, avoid=named(told)),
        n=voice.rng.between(1000, 9999),
    )


_KINDS: Final = (
    _others_symptom, _warned, _never_had, _not_in_family, _others_drug, _not_prescribed, _planned, _others_allergy, _tolerated,
    _others_habit, _other_doctor, _companion, _old_symptom, _old_drug, _disproved, _declined,
)  # fmt: skip

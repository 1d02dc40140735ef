"""Clinical notes: the sentences of a record, in sections.

The same record can be told in many ways; the answer depends on the record alone::

    note = write_note(rng, record, Manner(varied=50, distractors=3))
    note.paragraphs      # the text
    note.units           # units that the prompt must explain
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.instructions.extract.clinical import complaints, findings, treatment
from envhub.envs.instructions.extract.clinical.corrections import corrections
from envhub.envs.instructions.extract.clinical.distractors import distractors
from envhub.envs.instructions.extract.clinical.vocabulary import FACTORS, GLOSSARY, WOMEN
from envhub.envs.instructions.extract.people import references
from envhub.envs.instructions.extract.record import Manner, Note, Record, mistaken
from envhub.envs.instructions.extract.voice import Told, Voice

_SECTIONS: Final = (
    "history", "past", "allergy", "medication", "family", "social", "exam", "results", "plan", "contact", "addendum",
    "signature",
)  # fmt: skip
_HEADINGS: Final = (
    {
        "history": "Reason for the visit", "past": "Past history", "allergy": "Allergies", "medication": "Medication",
        "family": "Family", "social": "Social history", "exam": "Examination", "results": "Results", "plan": "Plan",
        "contact": "Contact",
    },
    {
        "history": "SUBJECTIVE", "past": "BACKGROUND", "allergy": "ALLERGIES", "medication": "DRUGS", "family": "FAMILY",
        "social": "HABITS AND HOME", "exam": "OBJECTIVE", "results": "LABORATORY", "plan": "PLAN", "contact": "CONTACT",
    },
)  # fmt: skip
_PARAGRAPHS: Final = (
    ("history",),
    ("past", "allergy", "medication"),
    ("family", "social"),
    ("exam", "results"),
    ("plan", "contact"),
)
_PRONOUN: Final = re.compile(r"\b([Ss]he|[Hh]e|[Hh]er(?! (?:busy|here|to us)\b)|[Hh]is)\b")
"""A pronoun that the name can replace; "her" before these words is an object, not a possessive."""
_SUBJECTS: Final = frozenset({"she", "he"})


def write_note(rng: Stream, record: Record, manner: Manner) -> Note:
    """Tell a record."""
    voice = Voice(rng, references(record["person"]), date.fromisoformat(record["date"]), manner.varied)
    told = mistaken(record)
    first, rest = complaints.opening(voice, told.get("symptoms"))
    parts: Told = complaints.symptoms(voice, rest)
    for group, tell in _TELLING.items():
        if group in told:
            parts += tell(voice, told[group])
    parts += corrections(voice, record)
    sections: dict[str, list[str]] = {"history": [first]}
    for section, text in parts:
        sections.setdefault(section, []).append(text)
    others: set[str] = set()
    for section, text in distractors(voice, told, manner.distractors):
        others.add(text)
        sections.setdefault(section, []).append(text)
    name = voice.words["Name"]
    for section, texts in sections.items():
        if section == "family":
            _name_after_relatives(texts, record, name)
        else:
            _name_after(texts, others, name)
        if section == "addendum":
            texts[1:] = [_named(text, name) for text in texts[1:]]
        elif section != "history":
            texts[0] = _named(texts[0], name)
    paragraphs = _laid_out(rng, sections)
    words = set(re.findall(r"[\w°/]+", " ".join(paragraphs)))
    units = [rule for unit, (sign, rule) in FACTORS.items() if unit in voice.units and sign in words]
    glossary = [f"{short} = {long}" for short, long in GLOSSARY.items() if short in voice.short and short in words]
    return Note(paragraphs, units, glossary)


def _name_after(texts: list[str], others: set[str], name: str) -> None:
    """Name the patient after a sentence about another person."""
    for at in range(1, len(texts)):
        if texts[at - 1] in others:
            texts[at] = _named(texts[at], name)


def _name_after_relatives(texts: list[str], record: Record, name: str) -> None:
    """Name the patient after a relative of the same sex.

    "Her sister" after a sentence about the mother may be the patient's sister or aunt.
    """
    relatives, female = record["told"].get("family_history", ()), record["person"]["sex"] == "female"
    for at, before in enumerate(relatives[:-1], 1):
        if (before["relative"] in WOMEN) == female:
            texts[at] = _named(texts[at], name)


def _named(text: str, name: str) -> str:
    """The sentence with a name in place of its first pronoun.

    A sentence that has the name stays as it is.
    """
    if name in text:
        return text
    return _PRONOUN.sub(lambda found: name if found[0].lower() in _SUBJECTS else f"{name}'s", text, count=1)


def _laid_out(rng: Stream, sections: dict[str, list[str]]) -> list[str]:
    kind = rng.below(4)
    texts = {name: " ".join(sections[name]) for name in _SECTIONS if name in sections}
    if kind < 2:
        headings = _HEADINGS[kind]
        return [f"{headings[name]}: {text}" if name in headings else text for name, text in texts.items()]
    if kind == 2:
        body = [" ".join(texts[name] for name in group if name in texts) for group in _PARAGRAPHS]
        ends = [texts[name] for name in ("addendum", "signature") if name in texts]
        return ["Dear colleague,", *filter(None, body), *ends]
    added = [texts.pop("addendum")] if "addendum" in texts else []
    return [" ".join(texts.values()), *added]


_TELLING: Final[dict[str, Any]] = {
    "denied_symptoms": complaints.denied,
    "conditions": complaints.conditions,
    "family_history": complaints.family,
    "allergies": treatment.allergies,
    "medications": treatment.medications,
    "vitals": findings.vitals,
    "labs": findings.labs,
    "habits": treatment.habits,
    "procedures": treatment.procedures,
    "follow_up": treatment.follow_up,
    "emergency_contact": treatment.contact,
    "written_by": treatment.author,
}

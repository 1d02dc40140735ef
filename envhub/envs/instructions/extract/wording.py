"""Phrases and renderings of extract-v0."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants
from envhub.authoring.wording.statement import Rendering
from envhub.envs.instructions.extract.kinds import KINDS

TASK: Final = Phrase(
    "Read the {text} and write what it states as one JSON document that conforms to the JSON Schema.",
    "Extract the facts of the {text} into a JSON document. It must be valid under the JSON Schema.",
    "Turn the {text} into one JSON document under the JSON Schema.",
    held_out="Produce the JSON instance of the JSON Schema that represents the {text}.",
)
PATIENT: Final = Phrase(
    "Record only what is so for the patient. Facts about other people, and what was only considered, offered, possible or "
    "planned, do not count, except where the schema asks for relatives or a future visit.",
    "Only facts about the patient count. Leave out other people, mere possibilities, and plans, unless the schema asks for "
    "relatives or for a future visit.",
    "Other people's diagnoses, drugs and habits are not the patient's. Suggestions and possibilities are not facts. State "
    "relatives and future visits only where the schema asks for them.",
    held_out="Scope: established facts about the patient. Excluded: third parties (unless the schema asks for relatives), "
    "options, hypotheticals, plans (unless a future visit is asked for).",
)
LATEST: Final = Phrase(
    "If the text corrects a statement later on, the correction holds. If something was measured several times, the latest "
    "value holds.",
    "A correction in the text replaces what it corrects. Of several measurements of one thing, use the latest.",
    "Where two statements disagree, the text says which one is wrong: use the other one. Repeated measurements: use the "
    "latest.",
    held_out="Conflicts: corrections override; among repeated measurements the most recent one wins.",
)
MISSING: Final = Phrase(
    "If the text does not state a value, write null. If a list has no items, write []. All properties are required.",
    "Each property must be present: null for a value that is not stated, [] for a list without items.",
    "Write null where the text states no value, and [] for an empty list. Do not leave out any property, and do not guess.",
    held_out="Unstated values: null. Empty lists: []. No property may be absent.",
)
DATES: Final = Phrase(
    "Write dates as YYYY-MM-DD. A date without a year is the last such date before the {event}. Count other times such as "
    '"two weeks ago", "yesterday" or "in a week" from the date of the {event}.',
    'Dates have the form YYYY-MM-DD. Times such as "yesterday" or "in two weeks" are relative to the date of the {event}, '
    "and a date without a year is the last one before it.",
    "Resolve all dates against the date of the {event} and write YYYY-MM-DD. If a date has no year, it is the last such day "
    "before the {event}.",
    held_out="Dates: YYYY-MM-DD, relative to the {event}; a missing year means the last such day before it.",
)
LISTS: Final = Phrase(
    "The order of items does not matter. List each thing once, under the name that the schema gives it.",
    "Items may be in any order. Each thing occurs once, and has the name of the schema.",
    "Use the names of the schema, list nothing twice, and put items in any order.",
    held_out="Lists: schema names, no duplicates, any order.",
)
INVOLVED: Final = Phrase(
    "Record only what has happened, was found or was agreed. Leave out what was only suggested, feared or offered, and what "
    "concerns another incident or people and things that were not involved.",
    "Only established facts of this incident count: not suggestions, fears and offers, not other incidents, and nobody and "
    "nothing that was not involved.",
    "Suggestions, fears and offers are not facts. Other incidents, and people and things that were not involved, do not count.",
    held_out="Scope: established facts of this incident. Excluded: proposals, fears, offers, other incidents, "
    "uninvolved people and things.",
)
CONVERTED: Final = Phrase(
    "Conversions: {units}.",
    "Convert values to the units of the schema ({units}).",
    "The report may use other units than the schema: {units}.",
    held_out="Unit conversions: {units}.",
)
UNITS: Final = Phrase(
    "Convert values to the units of the schema: {units}. Round weights, heights, creatinine, sodium and C-reactive protein "
    "to integers, and temperatures, glucose, haemoglobin and potassium to one decimal.",
    "The note may use other units than the schema: {units}. After a conversion, round weights, heights, creatinine, sodium "
    "and C-reactive protein to integers, and temperatures, glucose, haemoglobin and potassium to one decimal.",
    "All values must be in the units of the schema. Conversions: {units}. Converted values have one decimal (temperature, "
    "glucose, haemoglobin, potassium) or none (weight, height, creatinine, sodium, C-reactive protein).",
    held_out="Conversions: {units}. Rounding after conversion: one decimal for temperature, glucose, haemoglobin, potassium; "
    "integers for weight, height, creatinine, sodium, C-reactive protein.",
)
GLOSSARY: Final = Phrase(
    "Abbreviations in the note: {glossary}.",
    "The note uses these abbreviations: {glossary}.",
    "In the note, {glossary}.",
    held_out="Key to abbreviations: {glossary}.",
)


def _schema(problem: Any, indent: int | None) -> str:
    return json.dumps(KINDS[problem["kind"]].schema(problem["asked"]), indent=indent, ensure_ascii=False)


def _first(problem: Any) -> str:
    note = "\n\n".join(problem["note"])
    return f"The text:\n\n{note}\n\nThe JSON Schema:\n{_schema(problem, None)}"


def _last(problem: Any) -> str:
    note = "\n".join(problem["note"])
    return f"The JSON Schema:\n{_schema(problem, None)}\n\n<text>\n{note}\n</text>"


def _fenced(problem: Any) -> str:
    note = "\n\n".join(problem["note"])
    return f"Text:\n```text\n{note}\n```\n\nJSON Schema:\n```json\n{_schema(problem, 1)}\n```"


def _quoted(problem: Any) -> str:
    note = "\n>\n".join(f"> {paragraph}" for paragraph in problem["note"])
    return f"{note}\n\nJSON Schema: {_schema(problem, None)}"


DATA: Final[Variants[Rendering]] = Variants(_first, _last, _fenced, held_out=_quoted, name="note")

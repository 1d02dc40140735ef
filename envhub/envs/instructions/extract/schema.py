"""The JSON Schema of a task, and the answer as a document.

Descriptions state the unit and the meaning of every value, so that exactly one document is right::

    schema_of(["labs", "written_by"])
    document(answer(record))          # decimals as numbers, ready for json.dumps
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.instructions.extract.vocabulary import (
    CLINICS,
    CONDITIONS,
    CONTACTS,
    DRUGS,
    PROCEDURES,
    REACTIONS,
    RELATIVES,
    SUBSTANCES,
    SYMPTOMS,
    TESTS,
)

IDENTITY: Final[Mapping[str, str]] = {
    "symptoms": "name",
    "conditions": "name",
    "family_history": "relative",
    "medications": "drug",
    "allergies": "substance",
    "labs": "test",
    "procedures": "name",
}
"""The property that identifies an item of each list of objects."""
_DECIMALS: Final = frozenset({"dose_mg", "value", "temperature_c"})
_DATE: Final = r"^\d{4}-\d{2}-\d{2}$"


def _object(**properties: JSON) -> JSON:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: JSON, note: str) -> JSON:
    return {"type": "array", "items": item, "uniqueItems": True, "description": note}


def _one_of(values: Iterable[str]) -> JSON:
    return {"enum": list(values)}


def _maybe(kind: str, note: str) -> JSON:
    return {"type": [kind, "null"], "description": note}


_DAY: Final = {"type": "string", "pattern": _DATE}
_UNITS: Final = ", ".join(f"{name} in {about.unit}" for name, about in TESTS.items())
_PROPERTIES: Final[Mapping[str, JSON]] = {
    "symptoms": _list(
        _object(
            name=_one_of(SYMPTOMS),
            days=_maybe("integer", "days from its beginning to the visit; a week is 7 days, a month 30"),
        ),
        "symptoms that the patient has",
    ),
    "denied_symptoms": _list(_one_of(SYMPTOMS), "symptoms that the patient was asked about and does not have"),
    "conditions": _list(
        _object(
            name=_one_of(CONDITIONS),
            status={
                **_one_of(("current", "past", "ruled_out")),
                "description": "past: it is over; ruled_out: it was suspected and excluded",
            },
            year=_maybe("integer", "year of the diagnosis or event"),
        ),
        "the patient's diagnoses; one that the patient simply does not have is not listed",
    ),
    "family_history": _list(
        _object(
            relative=_one_of(RELATIVES),
            condition=_one_of(CONDITIONS),
            age=_maybe("integer", "age of the relative at the diagnosis or event"),
        ),
        "diagnoses of relatives",
    ),
    "allergies": {
        "type": ["array", "null"],
        "items": _object(
            substance=_one_of(SUBSTANCES), reaction={"enum": [*REACTIONS, None], "description": "null if not stated"}
        ),
        "uniqueItems": True,
        "description": "the patient's allergies; [] if the note says that there are none, null if it does not mention any",
    },
    "medications": _list(
        _object(
            drug=_one_of(DRUGS),
            dose_mg={"type": "number", "description": "dose of one intake in mg; of a stopped drug, the last one"},
            per_day={"type": "integer", "description": "intakes per day"},
            status={
                **_one_of(("continued", "started", "stopped", "changed")),
                "description": "what happened at this visit; changed: a new dose",
            },
        ),
        "the patient's drugs after the visit, and those stopped at it",
    ),
    "vitals": _object(
        temperature_c=_maybe("number", "degrees Celsius, one decimal"),
        pulse=_maybe("integer", "beats per minute"),
        systolic=_maybe("integer", "mmHg; the first number of a blood pressure"),
        diastolic=_maybe("integer", "mmHg"),
        weight_kg=_maybe("integer", "kg"),
        height_cm=_maybe("integer", "cm"),
    ),
    "labs": _list(
        _object(
            test=_one_of(TESTS),
            value={"type": "number", "description": _UNITS},
            taken_on={**_DAY, "description": "date of the sample"},
        ),
        "the latest result of each laboratory test",
    ),
    "habits": _object(
        smoking=_one_of(("never", "former", "current")),
        cigarettes_per_day=_maybe("integer", "now, or in the past for a former smoker; a pack is 20; null for never"),
        quit_year=_maybe("integer", "year in which the patient stopped smoking"),
        alcohol_units_per_week=_maybe("integer", "0 if the patient does not drink"),
    ),
    "procedures": _list(
        _object(name=_one_of(PROCEDURES), date={"type": ["string", "null"], "pattern": _DATE}),
        "procedures that the patient has had, with their dates",
    ),
    "follow_up": _object(
        date={"type": ["string", "null"], "pattern": _DATE, "description": "null if no visit is planned"},
        clinic={"enum": [*CLINICS, None], "description": "null if not stated"},
    ),
    "emergency_contact": _object(
        name={"type": "string", "description": "first name and surname"},
        relation={**_one_of(CONTACTS), "description": "what the contact is to the patient"},
        phone={"type": "string"},
    ),
    "written_by": {"type": "string", "description": "first name and surname of the author, without a title"},
}


def schema_of(asked: Iterable[str]) -> JSON:
    """The schema of the groups that are asked for."""
    patient = _object(sex=_one_of(("female", "male")), age={"type": "integer", "description": "years"})
    wanted = {name: _PROPERTIES[name] for name in asked}
    return _object(visit_date={**_DAY, "description": "date of the visit"}, patient=patient, **wanted)


def document(value: Any, name: str = "") -> JSON:
    """An answer with numbers in place of the texts of decimals."""
    if isinstance(value, dict):
        return {key: document(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [document(inner) for inner in value]
    if name in _DECIMALS and isinstance(value, str):
        return int(value) if value.isdigit() else float(value)
    return value

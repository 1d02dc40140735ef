"""The JSON Schema of a clinical note.

Descriptions state the unit and the meaning of every value, so that exactly one document is right::

    schema_of(["labs", "written_by"])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from envhub.core.types import JSON
from envhub.envs.instructions.extract.clinical.vocabulary import (
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
from envhub.envs.instructions.extract.schema import DAY, MAYBE_DAY, list_of, maybe, object_of, one_of

_UNITS: Final = ", ".join(f"{name} in {about.unit}" for name, about in TESTS.items())
_PROPERTIES: Final[Mapping[str, JSON]] = {
    "symptoms": list_of(
        object_of(
            name=one_of(SYMPTOMS),
            days=maybe("integer", "days from its beginning to the visit; a week is 7 days, a month 30"),
        ),
        "symptoms that the patient has",
    ),
    "denied_symptoms": list_of(one_of(SYMPTOMS), "symptoms that the patient was asked about and does not have"),
    "conditions": list_of(
        object_of(
            name=one_of(CONDITIONS),
            status={
                **one_of(("current", "past", "ruled_out")),
                "description": "past: it is over; ruled_out: it was suspected and excluded",
            },
            year=maybe("integer", "year of the diagnosis or event"),
        ),
        "the patient's diagnoses; one that the patient simply does not have is not listed",
    ),
    "family_history": list_of(
        object_of(
            relative=one_of(RELATIVES),
            condition=one_of(CONDITIONS),
            age=maybe("integer", "age of the relative at the diagnosis or event"),
        ),
        "diagnoses of relatives",
    ),
    "allergies": {
        "type": ["array", "null"],
        "items": object_of(
            substance=one_of(SUBSTANCES), reaction={"enum": [*REACTIONS, None], "description": "null if not stated"}
        ),
        "uniqueItems": True,
        "description": "the patient's allergies; [] if the note says that there are none, null if it does not mention any",
    },
    "medications": list_of(
        object_of(
            drug=one_of(DRUGS),
            dose_mg={"type": "number", "description": "dose of one intake in mg; of a stopped drug, the last one"},
            per_day={"type": "integer", "description": "intakes per day"},
            status={
                **one_of(("continued", "started", "stopped", "changed")),
                "description": "what happened at this visit; changed: a new dose",
            },
        ),
        "the patient's drugs after the visit, and those stopped at it",
    ),
    "vitals": object_of(
        temperature_c=maybe("number", "degrees Celsius, one decimal"),
        pulse=maybe("integer", "beats per minute"),
        systolic=maybe("integer", "mmHg; the first number of a blood pressure"),
        diastolic=maybe("integer", "mmHg"),
        weight_kg=maybe("integer", "kg"),
        height_cm=maybe("integer", "cm"),
    ),
    "labs": list_of(
        object_of(
            test=one_of(TESTS),
            value={"type": "number", "description": _UNITS},
            taken_on={**DAY, "description": "date of the sample"},
        ),
        "the latest result of each laboratory test",
    ),
    "habits": object_of(
        smoking=one_of(("never", "former", "current")),
        cigarettes_per_day=maybe("integer", "now, or in the past for a former smoker; a pack is 20; null for never"),
        quit_year=maybe("integer", "year in which the patient stopped smoking"),
        alcohol_units_per_week=maybe("integer", "0 if the patient does not drink"),
    ),
    "procedures": list_of(
        object_of(name=one_of(PROCEDURES), date=MAYBE_DAY),
        "procedures that the patient has had, with their dates",
    ),
    "follow_up": object_of(
        date={**MAYBE_DAY, "description": "null if no visit is planned"},
        clinic={"enum": [*CLINICS, None], "description": "null if not stated"},
    ),
    "emergency_contact": object_of(
        name={"type": "string", "description": "first name and surname"},
        relation={**one_of(CONTACTS), "description": "what the contact is to the patient"},
        phone={"type": "string"},
    ),
    "written_by": {"type": "string", "description": "first name and surname of the author, without a title"},
}


def schema_of(asked: Iterable[str]) -> JSON:
    """The schema of the groups that are asked for."""
    patient = object_of(sex=one_of(("female", "male")), age={"type": "integer", "description": "years"})
    wanted = {name: _PROPERTIES[name] for name in asked}
    return object_of(visit_date={**DAY, "description": "date of the visit"}, patient=patient, **wanted)

"""Diagnoses, drugs, laboratory tests, procedures and the schema of the hospital.

All databases share these rows, so a query may name a code, a drug or a test. Patients and everything that happens to them
are drawn by :mod:`envhub.envs.code.ehr.hospital`::

    CONDITIONS["E11"].name            # "type 2 diabetes"
    SCHEMA["patients"]["birth_date"]  # ("TEXT NOT NULL", "date of birth")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Disease(NamedTuple):
    """A diagnosis.

    Attributes:
        name: As questions call it.
        share: Percentage of patients who get it.
        acute: Whether it ends after some weeks and may come back.
        drugs: Names of the drugs that treat it.
        tests: Laboratory tests that are ordered for it.
        procedures: Procedures that are done for it.
    """

    name: str
    share: int
    acute: bool
    drugs: tuple[str, ...]
    tests: tuple[str, ...]
    procedures: tuple[str, ...] = ()


class Drug(NamedTuple):
    """A drug: class, routes, doses in mg, intakes per day."""

    group: str
    routes: tuple[str, ...]
    doses: tuple[float, ...]
    per_day: tuple[int, ...]


class Test(NamedTuple):
    """A laboratory test.

    Attributes:
        name: As questions call it.
        unit: The standard unit.
        low: Lower end of the reference range, for women and men.
        high: Upper end of it, for women and men.
        ill: Values of an untreated patient with a disease that the test is ordered for: lowest and highest.
        places: Decimal places of a value.
        other: Another unit with the factor that converts it to the standard one; empty without one.
        bounds: Bounds that questions ask about.
    """

    name: str
    unit: str
    low: tuple[float, float]
    high: tuple[float, float]
    ill: tuple[float, float]
    places: int
    other: tuple[str, float] | tuple[()]
    bounds: tuple[float, ...]


CONDITIONS: Final[Mapping[str, Disease]] = {
    "D50": Disease("iron deficiency anaemia", 12, False, ("ferrous sulfate",), ("HGB", "FERR"), ("colonoscopy",)),
    "E03": Disease("hypothyroidism", 10, False, ("levothyroxine",), ("TSH",)),
    "E10": Disease("type 1 diabetes", 6, False, ("insulin glargine",), ("A1C", "GLU")),
    "E11": Disease("type 2 diabetes", 18, False, ("metformin", "empagliflozin", "insulin glargine"), ("A1C", "GLU", "CREA")),
    "E78": Disease("hyperlipidaemia", 20, False, ("atorvastatin", "simvastatin"), ("LDL",)),
    "I10": Disease("hypertension", 28, False, ("lisinopril", "amlodipine", "hydrochlorothiazide"), ("K", "NA", "CREA")),
    "I48": Disease(
        "atrial fibrillation", 10, False, ("apixaban", "warfarin", "metoprolol"), ("INR", "K"),
        ("electrical cardioversion", "echocardiography"),
    ),
    "I50": Disease("heart "
    "failure", 9, False, ("furosemide", "metoprolol", "lisinopril"), ("BNP", "NA", "K"), ("echocardiography",)),
    "J18": Disease("pneumonia", 14, True, ("amoxicillin", "ceftriaxone"), ("CRP",), ("chest radiography",)),
    "J44": Disease("COPD", 11, False, ("tiotropium", "prednisolone"), ("CRP",), ("spirometry", "chest radiography")),
    "J45": Disease("asthma", 9, False, ("salbutamol", "prednisolone"), ("CRP",), ("spirometry",)),
    "K21": Disease("gastro-oesophageal reflux", 12, False, ("omeprazole",), ("HGB",), ("gastroscopy",)),
    "N18.3": Disease("chronic kidney disease stage 3", 10, False, ("lisinopril",), ("CREA", "K", "HGB")),
    "N18.4": Disease("chronic kidney disease stage 4", 5, False, ("furosemide",), ("CREA", "K", "HGB")),
    "N39": Disease("urinary tract infection", 14, True, ("nitrofurantoin", "ciprofloxacin"), ("CRP",)),
}  # fmt: skip
DRUGS: Final[Mapping[str, Drug]] = {
    "amlodipine": Drug("calcium channel blocker", ("oral",), (5, 10), (1,)),
    "amoxicillin": Drug("antibiotic", ("oral",), (500, 1000), (2, 3)),
    "apixaban": Drug("anticoagulant", ("oral",), (2.5, 5), (2,)),
    "atorvastatin": Drug("statin", ("oral",), (10, 20, 40, 80), (1,)),
    "ceftriaxone": Drug("antibiotic", ("intravenous", "intramuscular"), (1000, 2000), (1,)),
    "ciprofloxacin": Drug("antibiotic", ("oral", "intravenous"), (250, 500), (2,)),
    "empagliflozin": Drug("glucose-lowering drug", ("oral",), (10, 25), (1,)),
    "ferrous sulfate": Drug("iron preparation", ("oral",), (200,), (1, 2, 3)),
    "furosemide": Drug("diuretic", ("oral", "intravenous"), (20, 40, 80), (1, 2)),
    "hydrochlorothiazide": Drug("diuretic", ("oral",), (12.5, 25), (1,)),
    "insulin glargine": Drug("glucose-lowering drug", ("subcutaneous",), (0.36, 0.72, 1.09), (1,)),
    "levothyroxine": Drug("thyroid hormone", ("oral",), (0.05, 0.075, 0.1), (1,)),
    "lisinopril": Drug("ACE inhibitor", ("oral",), (5, 10, 20), (1,)),
    "metformin": Drug("glucose-lowering drug", ("oral",), (500, 850, 1000), (1, 2, 3)),
    "metoprolol": Drug("beta blocker", ("oral", "intravenous"), (25, 50, 100), (1, 2)),
    "nitrofurantoin": Drug("antibiotic", ("oral",), (50, 100), (2, 4)),
    "omeprazole": Drug("proton pump inhibitor", ("oral", "intravenous"), (20, 40), (1, 2)),
    "prednisolone": Drug("corticosteroid", ("oral", "intravenous"), (5, 20, 40), (1,)),
    "salbutamol": Drug("bronchodilator", ("inhaled",), (0.1, 0.2), (2, 4)),
    "simvastatin": Drug("statin", ("oral",), (20, 40), (1,)),
    "tiotropium": Drug("bronchodilator", ("inhaled",), (0.018,), (1,)),
    "warfarin": Drug("anticoagulant", ("oral",), (2, 3, 5), (1,)),
}
TESTS: Final[Mapping[str, Test]] = {
    "A1C": Test("HbA1c", "%", (4.0, 4.0), (5.6, 5.6), (6.5, 11.5), 1, (), (6.5, 7.0, 8.0, 9.0)),
    "BNP": Test("BNP", "pg/mL", (0, 0), (100, 100), (150, 1900), 0, ("pmol/L", 3.472), (200, 400, 500, 800)),
    "CREA": Test("creatinine", "mg/dL", (0.5, 0.7), (1.0, 1.2), (1.2, 4.2), 2, ("umol/L", 0.01131), (1.2, 1.5, 2.0, 3.0)),
    "CRP": Test("C-reactive protein", "mg/L", (0, 0), (5, 5), (12, 240), 0, (), (10, 20, 50, 100)),
    "FERR": Test("ferritin", "ng/mL", (15, 30), (150, 300), (2, 24), 0, (), (12, 20, 30)),
    "GLU": Test("glucose", "mg/dL", (70, 70), (99, 99), (120, 330), 0, ("mmol/L", 18.016), (126, 140, 180, 250)),
    "HGB": Test("haemoglobin", "g/dL", (12.0, 13.5), (15.5, 17.5), (7.0, 12.8), 1, (), (8.0, 9.0, 10.0, 12.0)),
    "INR": Test("INR", "ratio", (0.9, 0.9), (1.1, 1.1), (1.2, 4.5), 1, (), (2.0, 3.0, 3.5)),
    "K": Test("potassium", "mmol/L", (3.5, 3.5), (5.0, 5.0), (2.9, 6.2), 1, (), (5.0, 5.5, 6.0)),
    "LDL": Test("LDL cholesterol", "mg/dL", (50, 50), (129, 129), (130, 260), 0, ("mmol/L", 38.67), (100, 130, 160, 190)),
    "NA": Test("sodium", "mmol/L", (135, 135), (145, 145), (124, 147), 0, (), (130, 135, 140)),
    "TSH": Test("TSH", "mU/L", (0.4, 0.4), (4.0, 4.0), (4.5, 22.0), 1, (), (4.0, 6.0, 10.0)),
}  # fmt: skip
WHOLE: Final = tuple(key for key, test in TESTS.items() if not test.places)
"""Tests whose values are integers, so that differences of values are exact."""
LOW: Final = frozenset({"FERR", "HGB", "NA"})
"""Tests for which questions ask for values below a bound, not above it."""
PROCEDURES: Final = (
    "chest radiography", "colonoscopy", "echocardiography", "electrical cardioversion", "gastroscopy", "spirometry",
)  # fmt: skip
AREAS: Final = ("Eastgate", "Harbour", "Hillside", "Northfield", "Old Town")
DEPARTMENTS: Final = ("cardiology", "emergency department", "general medicine", "pulmonology", "surgery")
KINDS: Final = ("ambulatory", "emergency", "inpatient")

SCHEMA: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "patients": {
        "patient_id": ("INTEGER PRIMARY KEY", "number of the patient"),
        "sex": ("TEXT NOT NULL", "'F' or 'M'"),
        "birth_date": ("TEXT NOT NULL", "date of birth"),
        "death_date": ("TEXT", "date of death; NULL if alive"),
        "area": ("TEXT NOT NULL", f"where the patient lives: {', '.join(AREAS)}"),
    },
    "encounters": {
        "encounter_id": ("INTEGER PRIMARY KEY", "number of the encounter"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "kind": ("TEXT NOT NULL", "'ambulatory', 'emergency' or 'inpatient'"),
        "department": ("TEXT NOT NULL", "the department"),
        "started_at": ("TEXT NOT NULL", "date and time of the start; of an inpatient stay, the admission"),
        "ended_at": ("TEXT", "date and time of the end (the discharge); NULL if it has not ended"),
    },
    "condition_codes": {
        "code": ("TEXT PRIMARY KEY", "code of the diagnosis"),
        "name": ("TEXT NOT NULL", "name of the diagnosis"),
    },
    "conditions": {
        "condition_id": ("INTEGER PRIMARY KEY", "number of the entry; a patient may have several for one diagnosis"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "encounter_id": ("INTEGER NOT NULL REFERENCES encounters", "the encounter in which it was recorded"),
        "code": ("TEXT NOT NULL REFERENCES condition_codes", "the diagnosis"),
        "onset_date": ("TEXT NOT NULL", "date from which it is active"),
        "resolved_date": ("TEXT", "date from which it is no longer active; NULL if it goes on"),
    },
    "drugs": {
        "drug_id": ("INTEGER PRIMARY KEY", "number of the drug"),
        "name": ("TEXT NOT NULL", "name of the drug"),
        "drug_class": ("TEXT NOT NULL", "its class"),
    },
    "prescriptions": {
        "prescription_id": ("INTEGER PRIMARY KEY", "number of the prescription"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "encounter_id": ("INTEGER NOT NULL REFERENCES encounters", "the encounter in which it was written"),
        "drug_id": ("INTEGER NOT NULL REFERENCES drugs", "the drug"),
        "dose_mg": ("REAL NOT NULL", "dose of one intake in mg"),
        "per_day": ("INTEGER NOT NULL", "number of intakes per day"),
        "route": ("TEXT NOT NULL", "'oral', 'intravenous', 'intramuscular', 'subcutaneous' or 'inhaled'"),
        "start_date": ("TEXT NOT NULL", "first day"),
        "stop_date": ("TEXT", "last day; NULL if it has not been stopped"),
    },
    "lab_tests": {
        "test_id": ("TEXT PRIMARY KEY", "code of the test"),
        "name": ("TEXT NOT NULL", "name of the test"),
        "unit": ("TEXT NOT NULL", "the standard unit"),
        "low_f": ("REAL NOT NULL", "lower end of the reference range for women, in the standard unit"),
        "high_f": ("REAL NOT NULL", "upper end of it for women"),
        "low_m": ("REAL NOT NULL", "lower end of it for men"),
        "high_m": ("REAL NOT NULL", "upper end of it for men"),
    },
    "unit_factors": {
        "test_id": ("TEXT NOT NULL REFERENCES lab_tests", "the test"),
        "unit": ("TEXT NOT NULL", "a unit in which results of the test may be given"),
        "factor": ("REAL NOT NULL", "a value in this unit times the factor is the value in the standard unit"),
    },
    "lab_results": {
        "result_id": ("INTEGER PRIMARY KEY", "number of the result"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "encounter_id": ("INTEGER NOT NULL REFERENCES encounters", "the encounter in which it was taken"),
        "test_id": ("TEXT NOT NULL REFERENCES lab_tests", "the test"),
        "value": ("REAL NOT NULL", "the value"),
        "unit": ("TEXT NOT NULL", "the unit of the value"),
        "status": ("TEXT NOT NULL", "'final' or 'cancelled'"),
        "taken_at": ("TEXT NOT NULL", "date and time at which the sample was taken"),
    },
    "procedures": {
        "procedure_id": ("INTEGER PRIMARY KEY", "number of the procedure"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "encounter_id": ("INTEGER NOT NULL REFERENCES encounters", "the encounter in which it was done"),
        "name": ("TEXT NOT NULL", "what was done"),
        "done_on": ("TEXT NOT NULL", "date on which it was done"),
    },
    "notes": {
        "note_id": ("INTEGER PRIMARY KEY", "number of the note"),
        "patient_id": ("INTEGER NOT NULL REFERENCES patients", "the patient"),
        "encounter_id": ("INTEGER NOT NULL REFERENCES encounters", "the encounter"),
        "written_at": ("TEXT NOT NULL", "date and time at which it was written"),
        "text": ("TEXT NOT NULL", "the note"),
    },
}  # fmt: skip
"""Declaration and meaning of each column of each table."""

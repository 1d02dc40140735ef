"""Terms of clinical notes, with their forms and what goes together.

The schema of a task lists the first name of each term; a note may use any of its forms::

    SYMPTOMS["shortness of breath"].forms     # ("shortness of breath", "breathlessness")
    CONDITIONS["hypertension"].short          # "HTN"
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, NamedTuple


class Symptom(NamedTuple):
    """A symptom.

    Attributes:
        forms: Its names without an article.
        article: Whether its names take an article.
        brief: Whether it lasts two weeks at most.
    """

    forms: tuple[str, ...]
    article: bool = False
    brief: bool = False


class Condition(NamedTuple):
    """A diagnosis.

    Attributes:
        forms: Its names without an article.
        short: Its abbreviation; empty without one.
        event: Whether it happens once and is then past.
        article: Whether "had" takes an article before each form.
        resolves: Whether it may be over although it usually lasts.
        least: Youngest age of the diagnosis.
    """

    forms: tuple[str, ...]
    short: str = ""
    event: bool = False
    article: bool = False
    resolves: bool = False
    least: int = 18


class Drug(NamedTuple):
    """A drug: doses in mg, intakes per day, and what it treats."""

    doses: tuple[str, ...]
    per_day: tuple[int, ...]
    treats: tuple[str, ...] = ()


class Test(NamedTuple):
    """A laboratory test.

    Attributes:
        low: Lowest value, in steps.
        high: Highest value, in steps.
        places: Decimal places of the value in ``unit``.
        unit: Unit of the answer.
        other: Another unit, or empty.
        factor: One of the other unit in ``unit``.
        other_places: Decimal places in the other unit.
    """

    low: int
    high: int
    places: int
    unit: str
    other: str = ""
    factor: Decimal = Decimal(1)
    other_places: int = 0


SYMPTOMS: Final[Mapping[str, Symptom]] = {
    "abdominal pain": Symptom(("abdominal pain", "tummy pain")),
    "back pain": Symptom(("back pain", "backache")),
    "chest pain": Symptom(("chest pain", "pain in the chest")),
    "cough": Symptom(("cough",), True),
    "diarrhoea": Symptom(("diarrhoea", "loose stools"), False, True),
    "dizziness": Symptom(("dizziness", "light-headedness")),
    "fatigue": Symptom(("fatigue", "tiredness")),
    "fever": Symptom(("fever",), True, True),
    "headache": Symptom(("headache",), True),
    "joint pain": Symptom(("joint pain", "aching joints")),
    "nausea": Symptom(("nausea",), False, True),
    "night sweats": Symptom(("night sweats",)),
    "palpitations": Symptom(("palpitations",)),
    "rash": Symptom(("rash",), True),
    "shortness of breath": Symptom(("shortness of breath", "breathlessness")),
    "sore throat": Symptom(("sore throat",), True, True),
    "vomiting": Symptom(("vomiting",), False, True),
}
CONDITIONS: Final[Mapping[str, Condition]] = {
    "asthma": Condition(("asthma", "bronchial asthma")),
    "atrial fibrillation": Condition(("atrial fibrillation",), "AF", least=45),
    "chronic obstructive pulmonary disease": Condition(("chronic obstructive pulmonary disease",), "COPD", least=45),
    "coeliac disease": Condition(("coeliac disease",)),
    "deep vein thrombosis": Condition(("deep vein thrombosis",), "DVT", True, True),
    "depression": Condition(("depression",), "", False, False, True),
    "epilepsy": Condition(("epilepsy",)),
    "gastro-oesophageal reflux disease": Condition(("gastro-oesophageal reflux disease", "acid reflux"), "GORD"),
    "gout": Condition(("gout",)),
    "hypertension": Condition(("hypertension", "high blood pressure"), "HTN"),
    "hypothyroidism": Condition(("hypothyroidism",)),
    "iron deficiency anaemia": Condition(("iron deficiency anaemia",), "IDA", False, False, True),
    "kidney stones": Condition(("kidney stones", "renal stones"), "", True),
    "migraine": Condition(("migraine",), "", False, False, True),
    "myocardial infarction": Condition(("myocardial infarction", "heart attack"), "MI", True, True, least=40),
    "osteoarthritis": Condition(("osteoarthritis",), "OA", least=45),
    "pneumonia": Condition(("pneumonia",), "", True),
    "psoriasis": Condition(("psoriasis",)),
    "shingles": Condition(("shingles", "herpes zoster"), "", True),
    "stroke": Condition(("stroke",), "CVA", True, True, least=40),
    "tuberculosis": Condition(("tuberculosis",), "TB", True),
    "type 2 diabetes": Condition(("type 2 diabetes", "type 2 diabetes mellitus"), "T2DM", least=30),
}
DRUGS: Final[Mapping[str, Drug]] = {
    "allopurinol": Drug(("100", "200", "300"), (1,), ("gout",)),
    "amlodipine": Drug(("2.5", "5", "10"), (1,), ("hypertension",)),
    "amoxicillin": Drug(("250", "500", "1000"), (3,)),
    "apixaban": Drug(("2.5", "5"), (2,), ("atrial fibrillation", "deep vein thrombosis")),
    "atorvastatin": Drug(("10", "20", "40", "80"), (1,), ("myocardial infarction", "stroke")),
    "doxycycline": Drug(("50", "100"), (1, 2)),
    "ferrous sulfate": Drug(("200", "400"), (1, 2), ("iron deficiency anaemia",)),
    "ibuprofen": Drug(("200", "400", "600"), (2, 3)),
    "lamotrigine": Drug(("25", "50", "100"), (2,), ("epilepsy",)),
    "levothyroxine": Drug(("0.05", "0.075", "0.1", "0.125"), (1,), ("hypothyroidism",)),
    "lisinopril": Drug(("5", "10", "20"), (1,), ("hypertension",)),
    "metformin": Drug(("500", "850", "1000"), (1, 2, 3), ("type 2 diabetes",)),
    "montelukast": Drug(("5", "10"), (1,), ("asthma",)),
    "naproxen": Drug(("250", "500"), (2,), ("osteoarthritis", "gout")),
    "omeprazole": Drug(("10", "20", "40"), (1, 2), ("gastro-oesophageal reflux disease",)),
    "paracetamol": Drug(("500", "1000"), (3, 4), ("osteoarthritis",)),
    "prednisolone": Drug(("5", "10", "20", "40"), (1,), ("asthma", "chronic obstructive pulmonary disease")),
    "propranolol": Drug(("20", "40", "80"), (2, 3), ("migraine",)),
    "sertraline": Drug(("25", "50", "100"), (1,), ("depression",)),
}
SUBSTANCES: Final = ("bee venom", "codeine", "eggs", "ibuprofen", "iodine contrast", "latex", "peanuts", "penicillin")
REACTIONS: Final[Mapping[str, str]] = {
    "anaphylaxis": "anaphylaxis",
    "hives": "hives",
    "itching": "itching",
    "lip swelling": "swelling of the lips",
    "vomiting": "vomiting",
    "wheeze": "a wheeze",
}
"""Reactions, and how a sentence calls each."""
CLASHES: Final[Mapping[str, tuple[str, ...]]] = {"ibuprofen": ("ibuprofen", "naproxen"), "penicillin": ("amoxicillin",)}
"""Drugs that a patient with an allergy does not get."""
TESTS: Final[Mapping[str, Test]] = {
    "C-reactive protein": Test(2, 180, 0, "mg/L", "mg/dL", Decimal(10), 1),
    "creatinine": Test(52, 190, 0, "µmol/L", "mg/dL", Decimal("88.4"), 2),
    "glucose": Test(42, 148, 1, "mmol/L", "mg/dL", Decimal(1) / 18, 0),
    "haemoglobin": Test(82, 168, 1, "g/dL", "g/L", Decimal("0.1"), 0),
    "HbA1c": Test(48, 112, 1, "%"),
    "potassium": Test(31, 58, 1, "mmol/L", "mEq/L", Decimal(1), 1),
    "sodium": Test(127, 146, 0, "mmol/L", "mEq/L", Decimal(1), 0),
    "TSH": Test(3, 118, 1, "mU/L"),
}
FACTORS: Final[Mapping[str, tuple[str, str]]] = {
    "µmol/L creatinine": ("mg/dL", "creatinine in µmol/L = creatinine in mg/dL times 88.4"),
    "mg/L C-reactive protein": ("mg/dL", "C-reactive protein in mg/L = C-reactive protein in mg/dL times 10"),
    "mmol/L glucose": ("mg/dL", "glucose in mmol/L = glucose in mg/dL divided by 18"),
    "g/dL haemoglobin": ("g/L", "haemoglobin in g/dL = haemoglobin in g/L divided by 10"),
    "mmol/L potassium": ("mEq/L", "potassium in mmol/L = potassium in mEq/L"),
    "mmol/L sodium": ("mEq/L", "sodium in mmol/L = sodium in mEq/L"),
    "°C": ("°F", "degrees Celsius = (degrees Fahrenheit minus 32) divided by 1.8"),
    "kg": ("lb", "1 lb = 0.4536 kg"),
    "cm": ("ft", "1 in = 2.54 cm, 1 ft = 12 in"),
}
"""The sign and the conversion of each unit that a note may use instead of the schema's."""
PROCEDURES: Final[Mapping[str, tuple[str, ...]]] = {
    "appendectomy": ("appendectomy", "removal of the appendix"),
    "cataract surgery": ("cataract surgery",),
    "chest X-ray": ("chest X-ray", "chest radiograph"),
    "cholecystectomy": ("cholecystectomy", "removal of the gallbladder"),
    "colonoscopy": ("colonoscopy",),
    "echocardiography": ("echocardiography", "ultrasound scan of the heart"),
    "gastroscopy": ("gastroscopy",),
    "hip replacement": ("hip replacement",),
    "knee arthroscopy": ("knee arthroscopy",),
    "spirometry": ("spirometry",),
}
MASS: Final = frozenset(
    {"cataract surgery", "echocardiography", "spirometry", "removal of the appendix", "removal of the gallbladder"}
)
"""Procedures without an article."""
LATE: Final = frozenset({"cataract surgery", "hip replacement"})
"""Procedures that nobody has before the age of 45."""
RELATIVES: Final = ("aunt", "brother", "father", "grandfather", "grandmother", "mother", "sister", "uncle")
WOMEN: Final = frozenset({"aunt", "grandmother", "mother", "sister"})
"""Relatives that "she" may mean."""
CLINICS: Final = ("cardiology", "dermatology", "endocrinology", "general practice", "neurology", "rheumatology")
CONTACTS: Final = ("daughter", "son", "neighbour", "friend", "flatmate")
FREQUENCIES: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("once a day", "once daily", "every morning", "every night"),
    2: ("twice a day", "twice daily", "every 12 hours", "morning and evening"),
    3: ("three times a day", "three times daily", "every eight hours", "with each of the three meals"),
    4: ("four times a day", "four times daily", "every six hours"),
}
SHORT_FREQUENCIES: Final = {1: "od", 2: "bd", 3: "tds", 4: "qds"}
GLOSSARY: Final[Mapping[str, str]] = {
    **{about.short: name for name, about in CONDITIONS.items() if about.short},
    **{short: FREQUENCIES[count][0] for count, short in SHORT_FREQUENCIES.items()},
    "BP": "blood pressure",
    "HR": "heart rate (pulse)",
    "CRP": "C-reactive protein",
    "Hb": "haemoglobin",
}
"""Abbreviations of a note, and what they mean."""

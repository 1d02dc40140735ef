"""What stands in a chart: quantities with units, findings, and grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measured quantity.

    Attributes:
        name: Its name in a chart.
        low: Lowest value.
        high: Highest value.
        places: Decimal places.
        unit: The standard unit, in which scores are defined.
        other: Another unit, and how many standard units one of it is; None without one.
        other_places: Decimal places in the other unit.
    """

    name: str
    low: float
    high: float
    places: int
    unit: str
    other: tuple[str, Fraction] | None = None
    other_places: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in sentences: present, absent, or about a relative."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """A finding of several degrees, each with its sentences."""

    degrees: Mapping[str, tuple[str, ...]]


def _per(number: str) -> Fraction:
    return 1 / Fraction(number)


QUANTITIES: Final[Mapping[str, Quantity]] = {
    "sbp": Quantity("systolic blood pressure", 78, 182, 0, "mmHg"),
    "dbp": Quantity("diastolic blood pressure", 40, 76, 0, "mmHg"),
    "heart rate": Quantity("heart rate", 55, 130, 0, "/min"),
    "breaths": Quantity("respiratory rate", 12, 36, 0, "/min"),
    "temperature": Quantity("temperature", 36.2, 39.8, 1, "°C"),
    "weight": Quantity("weight", 48, 115, 1, "kg", ("lb", Fraction("0.45359237")), 1),
    "height": Quantity("height", 150, 196, 0, "cm", ("in", Fraction("2.54")), 1),
    "creatinine": Quantity("creatinine", 0.5, 4.8, 2, "mg/dL", ("µmol/L", _per("88.4"))),
    "bilirubin": Quantity("bilirubin", 0.4, 9.0, 1, "mg/dL", ("µmol/L", _per("17.1"))),
    "albumin": Quantity("albumin", 2.0, 4.6, 1, "g/dL", ("g/L", Fraction("0.1"))),
    "inr": Quantity("INR", 0.9, 3.2, 1, ""),
    "sodium": Quantity("sodium", 121, 148, 0, "mmol/L"),
    "chloride": Quantity("chloride", 92, 112, 0, "mmol/L"),
    "bicarbonate": Quantity("bicarbonate", 8, 29, 0, "mmol/L"),
    "glucose": Quantity("glucose", 65, 420, 0, "mg/dL", ("mmol/L", Fraction(18)), 1),
    "urea nitrogen": Quantity("blood urea nitrogen", 6, 60, 0, "mg/dL", ("mmol/L", Fraction("2.8")), 1),
    "calcium": Quantity("total calcium", 7.0, 11.5, 1, "mg/dL", ("mmol/L", Fraction("4.008")), 2),
    "platelets": Quantity("platelets", 12, 320, 0, "x10^9/L"),
    "ast": Quantity("AST", 15, 420, 0, "U/L"),
    "alt": Quantity("ALT", 12, 300, 0, "U/L"),
    "ldh": Quantity("LDH", 150, 620, 0, "U/L"),
    "leukocytes": Quantity("white blood cells", 4.0, 24.0, 1, "x10^9/L"),
    "cholesterol": Quantity("total cholesterol", 140, 320, 0, "mg/dL", ("mmol/L", Fraction("38.67")), 2),
    "hdl": Quantity("HDL cholesterol", 30, 85, 0, "mg/dL", ("mmol/L", Fraction("38.67")), 2),
    "triglycerides": Quantity("triglycerides", 60, 380, 0, "mg/dL", ("mmol/L", Fraction("88.57")), 2),
    "qt": Quantity("QT interval", 320, 480, 0, "ms"),
    "pao2": Quantity("PaO2", 55, 110, 0, "mmHg"),
    "fio2": Quantity("FiO2", 21, 90, 0, "%"),
    "burned": Quantity("burned body surface", 10, 60, 0, "%"),
    "norepinephrine": Quantity("norepinephrine dose", 0.02, 0.4, 2, "µg/kg/min"),
}
FINDINGS: Final[Mapping[str, Finding]] = {
    "heart failure": Finding(("Has congestive heart failure.", "Known heart failure."), ("No heart "
    "failure.",), ("Father has heart failure.",)),
    "hypertension": Finding(("Has hypertension.", "Treated for high blood pressure."), ("No "
    "hypertension.",), ("Sister has hypertension.",)),
    "diabetes": Finding(("Has type 2 diabetes.", "Known diabetes mellitus."), ("No diabetes.",), ("Mother has diabetes.",)),
    "stroke": Finding(("Had a stroke two years ago.", "Previous stroke."), ("Never had a stroke.",), ("Brother had a "
    "stroke.",)),
    "vascular disease": Finding(("Had a myocardial infarction.", "Has peripheral artery disease."), ("No vascular "
    "disease.",), ("Father had a heart attack.",)),
    "renal disease": Finding(("On chronic dialysis.", "Has a kidney transplant."), ("No dialysis, no "
    "transplant.",), ("Cousin is on dialysis.",)),
    "liver disease": Finding(("Has cirrhosis.",), ("No liver disease.",), ("Uncle died of cirrhosis.",)),
    "bleeding": Finding(("Had a major gastrointestinal bleed.",), ("No history of bleeding.",), ("Mother had a "
    "bleeding ulcer.",)),
    "labile inr": Finding(("INR was in the therapeutic range less than 60% of the time.",), ("INR has been stable in range.",)),
    "drugs": Finding(("Takes ibuprofen daily.", "Takes aspirin daily."), ("Takes neither NSAIDs nor antiplatelet "
    "drugs.",), ("Wife takes aspirin.",)),
    "alcohol": Finding(("Drinks 14 alcoholic drinks per week.", "Drinks 10 alcoholic drinks per week."), ("Drinks 2 "
    "alcoholic drinks per week.", "Drinks no alcohol."), ("Brother drinks heavily.",)),
    "cancer": Finding(("Has active cancer under treatment.",), ("No cancer.",), ("Aunt has cancer.",)),
    "immobile leg": Finding(("The leg is in a plaster cast.", "The leg is paralysed."), ("No paralysis and no cast of "
    "the leg.",)),
    "bedridden": Finding(("Was bedridden for four days this week.", "Had major surgery three weeks ago."), ("No "
    "recent bed rest or surgery.",), ("Partner had surgery last week.",)),
    "tenderness": Finding(("Tender along the deep veins of the leg.",), ("No tenderness along the deep veins.",)),
    "swollen leg": Finding(("The entire leg is swollen.",), ("The leg as a whole is not swollen.",)),
    "calf": Finding(("The calf is 4 cm wider than the other one.",), ("The calf is 1 cm wider than the other "
    "one.", "Both calves measure the same.")),
    "pitting": Finding(("Pitting oedema, only in the symptomatic leg.",), ("No pitting oedema.",)),
    "collateral": Finding(("Collateral superficial veins, not varicose.",), ("No collateral veins.",)),
    "earlier dvt": Finding(("Had a deep vein thrombosis before.",), ("Never had a thrombosis.",), ("Mother had a deep "
    "vein thrombosis.",)),
    "alternative": Finding(("Cellulitis is at least as likely as thrombosis.",), ("No other diagnosis is as likely as "
    "thrombosis.",)),
    "confusion": Finding(("Newly confused.", "Disoriented in time since today."), ("Not confused.",)),
    "cough": Finding(("Has a cough.", "Coughs."), ("No cough.",), ("The children at home cough.",)),
    "nodes": Finding(("Tender anterior cervical lymph nodes.",), ("Cervical lymph nodes are not tender.",)),
    "tonsils": Finding(("Exudate on the tonsils.", "Swollen tonsils."), ("Tonsils look normal.",)),
    "ventilated": Finding(("Mechanically ventilated.",), ("Breathes without support.",)),
    "pressor": Finding(("Receives norepinephrine.",), ("Receives no vasopressors.",)),
}  # fmt: skip
GRADES: Final[Mapping[str, Grade]] = {
    "ascites": Grade({"none": ("No ascites.",), "slight": ("Slight ascites.",), "moderate": ("Moderate ascites.",)}),
    "encephalopathy": Grade({"0": ("No encephalopathy.",), "1": ("Encephalopathy grade 1.", "Encephalopathy grade "
    "2."), "2": ("Encephalopathy grade 3.", "Encephalopathy grade 4.")}),
    "eyes": Grade({"4": ("Opens the eyes spontaneously.",), "3": ("Opens the eyes when spoken to.",), "2": ("Opens "
    "the eyes to pressure only.",), "1": ("Does not open the eyes.",)}),
    "verbal": Grade({"5": ("Oriented.",), "4": ("Talks in a confused manner.",), "3": ("Says single words that make "
    "no sense.",), "2": ("Makes sounds, no words.",), "1": ("Makes no sound.",)}),
    "motor": Grade({"6": ("Obeys commands.",), "5": ("Localises pressure.",), "4": ("Withdraws normally from "
    "pressure.",), "3": ("Flexes abnormally to pressure.",), "2": ("Extends to pressure.",), "1": ("No motor response.",)}),
    "colour": Grade({"2": ("Pink all over.",), "1": ("Pink body, blue hands and feet.",), "0": ("Blue all "
    "over.", "Pale all over.")}),
    "pulse": Grade({"2": ("Heart rate of the newborn 140/min.", "Heart rate of the newborn 112/min."), "1": ("Heart "
    "rate of the newborn 80/min.", "Heart rate of the newborn 64/min."), "0": ("No heartbeat.",)}),
    "grimace": Grade({"2": ("Cries and pulls away when stimulated.",), "1": ("Grimaces when stimulated.",), "0": ("No "
    "response to stimulation.",)}),
    "activity": Grade({"2": ("Moves actively.",), "1": ("Some flexion of arms and legs.",), "0": ("Limp.",)}),
    "breathing": Grade({"2": ("Strong cry, breathes well.",), "1": ("Weak cry, slow and irregular "
    "breathing.",), "0": ("Does not breathe.",)}),
}  # fmt: skip
BYSTANDERS: Final = (
    "Ate breakfast.",
    "Slept well.",
    "Lives with a partner.",
    "Has a penicillin allergy.",
    "Ferritin 88 ng/mL.",
    "TSH 2.1 mU/L.",
    "Works as a teacher.",
    "Urine culture is pending.",
    "Vitamin D 31 ng/mL.",
    "Wears glasses.",
)
"""Sentences that no score uses."""

"""Published scores: points for findings and values.

Each function gets the facts of a patient by name and returns the score. Numbers are fractions in standard units, findings
are booleans, grades are texts. Its docstring names the source. :data:`SCORES` has the definitions that prompts state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """A score or formula.

    Attributes:
        name: Its name.
        rule: Computes it from the facts of a patient.
        needs: Names of the quantities, findings and grades that it uses, besides age and sex.
        definition: The definition, in lines.
        ages: Lowest and highest age; None if ages mean nothing.
        known: Whether the published definition is unambiguous, so that the name may be enough.
        scale: The answer is this many times the value, rounded to an integer.
        unit: What the answer counts; empty for points.
    """

    name: str
    rule: Callable[[Facts], Any]
    needs: tuple[str, ...]
    definition: tuple[str, ...]
    ages: tuple[int, int] | None = (20, 92)
    known: bool = False
    scale: int = 1
    unit: str = ""


def cha2ds2_vasc(f: Facts) -> int:
    """Lip GY et al., Chest 2010;137:263-272."""
    age = 2 if f["age"] >= 75 else int(f["age"] >= 65)
    ones = f["heart failure"] + f["hypertension"] + f["diabetes"] + f["vascular disease"] + (f["sex"] == "F")
    return int(ones + age + 2 * f["stroke"])


def has_bled(f: Facts) -> int:
    """Pisters R et al., Chest 2010;138:1093-1100."""
    renal = f["renal disease"] or f["creatinine"] * 100 > 226
    names = ("liver disease", "stroke", "bleeding", "labile inr", "drugs", "alcohol")
    return int((f["sbp"] > 160) + renal + (f["age"] > 65) + sum(f[name] for name in names))


def wells_dvt(f: Facts) -> int:
    """Wells PS et al., N Engl J Med 2003;349:1227-1235."""
    names = (
        "cancer",
        "immobile leg",
        "bedridden",
        "tenderness",
        "swollen leg",
        "calf",
        "pitting",
        "collateral",
        "earlier dvt",
    )
    return int(sum(f[name] for name in names)) - 2 * int(f["alternative"])


def curb65(f: Facts) -> int:
    """Lim WS et al., Thorax 2003;58:377-382."""
    pressure = f["sbp"] < 90 or f["dbp"] <= 60
    return int(f["confusion"] + (f["urea nitrogen"] > 19) + (f["breaths"] >= 30) + pressure + (f["age"] >= 65))


def qsofa(f: Facts) -> int:
    """Singer M et al., JAMA 2016;315:801-810."""
    return int((f["breaths"] >= 22) + (glasgow(f) < 15) + (f["sbp"] <= 100))


def child_pugh(f: Facts) -> int:
    """Pugh RN et al., Br J Surg 1973;60:646-649.

    The bounds of INR and albumin are those that are in use now.
    """
    points = 3 if f["bilirubin"] > 3 else 2 if f["bilirubin"] >= 2 else 1
    points += 3 if f["albumin"] * 10 < 28 else 2 if f["albumin"] * 10 <= 35 else 1
    points += 3 if f["inr"] * 10 > 23 else 2 if f["inr"] * 10 >= 17 else 1
    return points + {"none": 1, "slight": 2, "moderate": 3}[f["ascites"]] + int(f["encephalopathy"]) + 1


def glasgow(f: Facts) -> int:
    """Teasdale G, Jennett B, Lancet 1974;304:81-84; wording of 2014."""
    return int(f["eyes"]) + int(f["verbal"]) + int(f["motor"])


def apgar(f: Facts) -> int:
    """Apgar V, Curr Res Anesth Analg 1953;32:260-267."""
    return sum(int(f[name]) for name in ("colour", "pulse", "grimace", "activity", "breathing"))


def sofa(f: Facts) -> int:
    """Vincent JL et al., Intensive Care Med 1996;22:707-710."""
    ratio, helped = f["pao2"] * 100 / f["fio2"], f["ventilated"]
    lung = 4 if ratio < 100 and helped else 3 if ratio < 200 and helped else 2 if ratio < 300 else int(ratio < 400)
    clotting = sum(f["platelets"] < bound for bound in (150, 100, 50, 20))
    liver = sum(f["bilirubin"] * 10 >= bound for bound in (12, 20, 60, 120))
    pressure = (f["sbp"] + 2 * f["dbp"]) / 3
    heart = (4 if f["norepinephrine"] * 10 > 1 else 3) if f["pressor"] else int(pressure < 70)
    coma = glasgow(f)
    brain = sum(coma < bound for bound in (15, 13, 10, 6))
    kidney = sum(f["creatinine"] * 10 >= bound for bound in (12, 20, 35, 50))
    return int(lung + clotting + liver + heart + brain + kidney)


def mcisaac(f: Facts) -> int:
    """McIsaac WJ et al., CMAJ 1998;158:75-83."""
    age = 1 if f["age"] < 15 else 0 if f["age"] < 45 else -1
    return int((f["temperature"] > 38) + (not f["cough"]) + f["nodes"] + f["tonsils"]) + age


def ranson(f: Facts) -> int:
    """Ranson JH et al., Surg Gynecol Obstet 1974;139:69-81."""
    return int((f["age"] > 55) + (f["leukocytes"] > 16) + (f["glucose"] > 200) + (f["ldh"] > 350) + (f["ast"] > 250))


_GLASGOW: Final = (
    "Eyes: spontaneous 4, to speech 3, to pressure 2, none 1.",
    "Verbal: oriented 5, confused 4, words 3, sounds 2, none 1.",
    "Motor: obeys commands 6, localises 5, normal flexion (withdraws) 4, abnormal flexion 3, extension 2, none 1.",
)
_SOFA: Final = (
    *("pao2", "fio2", "ventilated", "platelets", "bilirubin", "sbp", "dbp", "pressor", "norepinephrine"),
    *("eyes", "verbal", "motor", "creatinine"),
)
_COMA: Final = ("eyes", "verbal", "motor")
SCORES: Final[tuple[Score, ...]] = (
    Score("CHA2DS2-VASc score", cha2ds2_vasc, ("heart failure", "hypertension", "diabetes", "stroke", "vascular disease"), (
        "1 point each: congestive heart failure, hypertension, diabetes, vascular disease (myocardial infarction or "
        "peripheral artery disease), age 65 to 74, female sex.",
        "2 points each: age 75 or more, previous stroke.",
    ), known=True),
    Score("HAS-BLED score", has_bled, ("sbp", "renal disease", "creatinine", "liver "
    "disease", "stroke", "bleeding", "labile inr", "drugs", "alcohol"), (
        "1 point each: systolic blood pressure above 160 mmHg; dialysis, kidney transplant or creatinine above 2.26 "
        "mg/dL; cirrhosis; previous stroke; previous major bleeding; labile INR (less than 60% of the time in range); "
        "age above 65; use of antiplatelet drugs or NSAIDs; at least 8 alcoholic drinks per week.",
    )),
    Score("Wells score for deep vein thrombosis", wells_dvt, ("cancer", "immobile "
    "leg", "bedridden", "tenderness", "swollen leg", "calf", "pitting", "collateral", "earlier dvt", "alternative"), (
        "1 point each: active cancer; paralysis or plaster of the leg; bedridden for 3 days or more, or major surgery "
        "within 12 weeks; tenderness along the deep veins; entire leg swollen; calf more than 3 cm wider than the "
        "other one; pitting oedema only in the symptomatic leg; collateral superficial veins; previous deep vein thrombosis.",
        "Minus 2 points: an alternative diagnosis at least as likely. The score may be negative.",
    ), ages=None),
    Score("CURB-65 score", curb65, ("confusion", "urea nitrogen", "breaths", "sbp", "dbp"), (
        "1 point each: new confusion; blood urea nitrogen above 19 mg/dL; respiratory rate of at least 30/min; "
        "systolic pressure below 90 mmHg or diastolic pressure of at most 60 mmHg; age of at least 65.",
    )),  # not known: its bound of 7 mmol/L of urea is 19.6 mg/dL
    Score("qSOFA score", qsofa, ("breaths", "sbp", *_COMA), (
        "1 point each: respiratory rate of at least 22/min; Glasgow Coma Scale below 15; systolic pressure of at most "
        "100 mmHg.",
        *_GLASGOW,
    ), ages=None, known=True),
    Score("Child-Pugh score", child_pugh, ("bilirubin", "albumin", "inr", "ascites", "encephalopathy"), (
        "Bilirubin: below 2 mg/dL 1 point, 2 to 3 mg/dL 2, above 3 mg/dL 3.",
        "Albumin: above 3.5 g/dL 1 point, 2.8 to 3.5 g/dL 2, below 2.8 g/dL 3.",
        "INR: below 1.7 1 point, 1.7 to 2.3 2, above 2.3 3.",
        "Ascites: none 1 point, slight 2, moderate 3. Encephalopathy: none 1 point, grade 1 or 2 2, grade 3 or 4 3.",
    ), ages=None),
    Score("Glasgow Coma Scale", glasgow, _COMA, _GLASGOW, ages=None, known=True),
    Score("Apgar score", apgar, ("colour", "pulse", "grimace", "activity", "breathing"), (
        "Colour: pink all over 2, body pink and hands and feet blue 1, blue or pale 0. Pulse: at least 100/min 2, "
        "below 100/min 1, absent 0.",
        "Response to stimulation: cries or pulls away 2, grimaces 1, none 0. Activity: active movement 2, some "
        "flexion 1, limp 0.",
        "Breathing: strong cry 2, weak, slow or irregular 1, absent 0.",
    ), ages=None, known=True),
    Score("SOFA score", sofa, _SOFA, (
        "Lungs, by PaO2 / FiO2 in mmHg (FiO2 as a fraction): at least 400 0 points, below 400 1, below 300 2, below "
        "200 with mechanical ventilation 3, below 100 with mechanical ventilation 4.",
        "Platelets in x10^9/L: at least 150 0 points, below 150 1, below 100 2, below 50 3, below 20 4.",
        "Bilirubin in mg/dL: below 1.2 0 points, from 1.2 1, from 2.0 2, from 6.0 3, from 12.0 4.",
        "Circulation: norepinephrine above 0.1 µg/kg/min 4 points, norepinephrine up to 0.1 µg/kg/min 3; without it, "
        "mean arterial pressure ((systolic + 2 x diastolic) / 3) below 70 mmHg 1, else 0.",
        "Glasgow Coma Scale: 15 0 points, 13 or 14 1, 10 to 12 2, 6 to 9 3, below 6 4.",
        "Creatinine in mg/dL: below 1.2 0 points, from 1.2 1, from 2.0 2, from 3.5 3, from 5.0 4.",
        *_GLASGOW,
    ), ages=None),
    Score("McIsaac score", mcisaac, ("temperature", "cough", "nodes", "tonsils"), (
        "1 point each: temperature above 38 °C; no cough; tender anterior cervical lymph nodes; swollen tonsils or "
        "exudate on them.",
        "Age 3 to 14: 1 point. Age 15 to 44: 0 points. Age 45 or more: minus 1 point. The score may be negative.",
    ), ages=(4, 70), known=True),
    Score("Ranson score on admission", ranson, ("leukocytes", "glucose", "ldh", "ast"), (
        "1 point each: age above 55; white blood cells above 16 x10^9/L; glucose above 200 mg/dL; LDH above 350 U/L; "
        "AST above 250 U/L.",
    )),
)  # fmt: skip
"""Scores in points."""

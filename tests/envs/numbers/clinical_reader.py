"""Reads prompts of clinical-calculator-v0 and computes the scores by other expressions than the environment's."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from envhub.envs.numbers.clinical_calculator.items import FINDINGS, GRADES, QUANTITIES

YES: Final = {sentence: name for name, finding in FINDINGS.items() for sentence in finding.yes}
DEGREE: Final = {
    sentence: (name, degree)
    for name, grade in GRADES.items()
    for degree, group in grade.degrees.items()
    for sentence in group
}
CALLED: Final = {each.name.lower(): name for name, each in QUANTITIES.items()}
FACTOR: Final = {"lb": 0.45359237, "in": 2.54, "g/L": 0.1}
MOLAR: Final = {
    "creatinine": 1 / 88.4,
    "bilirubin": 1 / 17.1,
    "glucose": 18,
    "urea nitrogen": 2.8,
    "calcium": 4.008,
    "cholesterol": 38.67,
    "hdl": 38.67,
    "triglycerides": 88.57,
}
WELLS: Final = (
    *("cancer", "immobile leg", "bedridden", "tenderness", "swollen leg"),
    *("calf", "pitting", "collateral", "earlier dvt"),
)


def read(prompt: str) -> tuple[str, list[dict[str, Any]]]:
    """The score and the facts of the patients, from a prompt whose data are bullets."""
    (name,) = re.findall(r"Definition of the (.*):", prompt)
    patients: list[dict[str, Any]] = []
    for line in prompt.splitlines():
        if head := re.match(r"Patient \d+, (?:a newborn|(\d+)-year-old) (woman|girl|man|boy)", line):
            patients.append({"age": int(head[1] or 0), "sex": "F" if head[2] in ("woman", "girl") else "M"})
        elif row := re.match(r"\* day \d+: (.*)", line):
            facts, text = patients[-1], row[1]
            if text in YES:
                facts[YES[text]] = True
            elif text in DEGREE:
                facts[DEGREE[text][0]] = DEGREE[text][1]
            elif value := re.match(r"(.*?)(?: of| was)? ([\d.]+\d|\d) ?(.*)\.$", text):
                called = CALLED.get(value[1].lower())
                if called:
                    molar = MOLAR.get(called, 1) if value[3] in ("mmol/L", "µmol/L") else 1
                    facts[called] = float(value[2]) * FACTOR.get(value[3], 1) * molar
    return name, patients


def computed(name: str, f: dict[str, Any]) -> float:
    """The score of a patient, before it is rounded."""
    points = _points(name, f)
    return points if points is not None else _formula(name, f)


def _coma(f: dict[str, Any]) -> int:
    return sum(int(f[each]) for each in ("eyes", "verbal", "motor"))


def _points(name: str, f: dict[str, Any]) -> float | None:
    def has(*names: str) -> int:
        return sum(bool(f.get(each)) for each in names)

    age = f["age"]
    match name.split()[0]:
        case "CHA2DS2-VASc":
            ones = has("heart failure", "hypertension", "diabetes", "vascular disease", "stroke", "stroke")
            return ones + (f["sex"] == "F") + (age > 64) + (age > 74)
        case "HAS-BLED":
            renal = bool(f.get("renal disease")) or f["creatinine"] > 2.26
            ones = has("liver disease", "stroke", "bleeding", "labile inr", "drugs", "alcohol")
            return ones + renal + (age > 65) + (f["sbp"] > 160)
        case "Wells":
            return has(*WELLS) - 2 * has("alternative")
        case "CURB-65":
            low = f["sbp"] < 90 or f["dbp"] < 61
            return has("confusion") + (f["urea nitrogen"] > 19) + (f["breaths"] > 29) + low + (age > 64)
        case "qSOFA":
            return (f["breaths"] > 21) + (_coma(f) != 15) + (f["sbp"] < 101)
        case "Child-Pugh":
            rest = ["none", "slight", "moderate"].index(f["ascites"]) + int(f["encephalopathy"])
            lab = (f["bilirubin"] >= 2) + (f["bilirubin"] > 3) + (f["albumin"] < 3.5001) + (f["albumin"] < 2.7999)
            return 5 + rest + lab + (f["inr"] >= 1.7) + (f["inr"] > 2.3)
        case "Glasgow":
            return _coma(f)
        case "Apgar":
            return sum(int(f[each]) for each in ("colour", "pulse", "grimace", "activity", "breathing"))
        case "SOFA":
            ratio, aid = f["pao2"] / (f["fio2"] / 100), bool(f.get("ventilated"))
            total = (ratio < 400) + (ratio < 300) + (aid and ratio < 200) + (aid and ratio < 100)
            total += sum(f["platelets"] < each for each in (20, 50, 100, 150))
            total += sum(f["bilirubin"] >= each for each in (1.2, 2, 6, 12))
            total += sum(f["creatinine"] >= each for each in (1.2, 2, 3.5, 5))
            total += sum(_coma(f) <= each for each in (14, 12, 9, 5))
            low = f["dbp"] + (f["sbp"] - f["dbp"]) / 3 < 69.999
            return total + (3 + (f["norepinephrine"] > 0.1) if f.get("pressor") else low)
        case "McIsaac":
            old = (age <= 14) - (age >= 45)
            return (f["temperature"] > 38) + 1 - has("cough") + has("nodes", "tonsils") + old
        case "Ranson":
            blood = (f["leukocytes"] > 16) + (f["glucose"] > 200) + (f["ldh"] > 350) + (f["ast"] > 250)
            return (age > 55) + blood
    return None


def _formula(name: str, f: dict[str, Any]) -> float:
    woman = f["sex"] == "F"
    match name.split()[0]:
        case "creatinine":
            return (140 - f["age"]) / 72 * f["weight"] / f["creatinine"] * (0.85 if woman else 1)
        case "eGFR":
            k, a = (0.7, -0.241) if woman else (0.9, -0.302)
            power = (a if f["creatinine"] < k else -1.2) * math.log(f["creatinine"] / k)
            return 142 * math.exp(power) * math.pow(0.9938, f["age"]) * (1.012 if woman else 1)
        case "MELD-Na":
            c, b, i = (max(f[each], 1) for each in ("creatinine", "bilirubin", "inr"))
            first = round(math.log(min(c, 4) ** 9.57 * b**3.78 * i**11.2) + 6.43)
            gap = 137 - sorted((125, f["sodium"], 137))[1]
            return min(40, first + gap * (1.32 - 0.033 * first)) if first > 11 else first
        case "body":
            if "mass" in name:
                return 10 * f["weight"] / (f["height"] / 100) ** 2
            return 100 * math.sqrt(f["height"] * f["weight"]) / 60
        case "anion":
            return f["sodium"] - (f["chloride"] + f["bicarbonate"])
        case "calculated":
            return 2 * f["sodium"] + f["glucose"] / 18 + f["urea nitrogen"] / 2.8
        case "calcium":
            return 10 * f["calcium"] + 8 * (4 - f["albumin"])
        case "mean":
            return f["dbp"] + (f["sbp"] - f["dbp"]) / 3
        case "FIB-4":
            return 100 * f["age"] * f["ast"] / f["platelets"] / f["alt"] ** 0.5
        case "LDL":
            return f["cholesterol"] - f["hdl"] - f["triglycerides"] / 5
        case "QTc":
            return f["qt"] * math.sqrt(f["heart rate"] / 60)
        case "sodium":
            return 10 * f["sodium"] + 0.16 * (f["glucose"] - 100)
        case "fluid":
            return 4 * f["weight"] * f["burned"]
        case "expected":
            return 15 * f["bicarbonate"] + 80
    raise LookupError(name)

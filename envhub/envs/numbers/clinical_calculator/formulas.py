"""Published formulas: values computed from quantities."""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final

from envhub.envs.numbers.clinical_calculator.scores import SCORES, Facts, Score


def cockcroft_gault(f: Facts) -> Any:
    """Cockcroft DW, Gault MH, Nephron 1976;16:31-41."""
    value = (140 - f["age"]) * f["weight"] / (72 * f["creatinine"])
    return value * 85 / 100 if f["sex"] == "F" else value


def ckd_epi(f: Facts) -> float:
    """Inker LA et al., N Engl J Med 2021;385:1737-1749."""
    kappa, alpha, factor = (0.7, -0.241, 1.012) if f["sex"] == "F" else (0.9, -0.302, 1.0)
    ratio = float(f["creatinine"]) / kappa
    return float(142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938 ** f["age"] * factor)


def meld(f: Facts) -> float:
    """MELD of OPTN policy 9 (2016), not rounded, without sodium."""
    creatinine, bilirubin, inr = (max(1.0, float(f[name])) for name in ("creatinine", "bilirubin", "inr"))
    return 10 * (0.957 * log(min(creatinine, 4.0)) + 0.378 * log(bilirubin) + 1.12 * log(inr) + 0.643)


def meld_margin(f: Facts) -> float:
    """How far MELD is from the middle between two integers."""
    return abs(meld(f) % 1 - 0.5)


def meld_na(f: Facts) -> float:
    """Kim WR et al., N Engl J Med 2008;359:1018-1026; OPTN policy 9."""
    first, gap = round(meld(f)), 137 - min(max(float(f["sodium"]), 125.0), 137.0)
    return min(40.0, first + 1.32 * gap - 0.033 * first * gap) if first > 11 else float(first)


def bmi(f: Facts) -> Any:
    """Quetelet's index; Keys A et al., J Chronic Dis 1972;25:329-343."""
    return f["weight"] * 10_000 / f["height"] ** 2


def mosteller(f: Facts) -> float:
    """Mosteller RD, N Engl J Med 1987;317:1098."""
    return sqrt(f["height"] * f["weight"] / 3600)


def anion_gap(f: Facts) -> Any:
    """Emmett M, Narins RG, Medicine 1977;56:38-54, without potassium."""
    return f["sodium"] - f["chloride"] - f["bicarbonate"]


def osmolality(f: Facts) -> Any:
    """Dorwart WV, Chalmers L, Clin Chem 1975;21:190-194, in its usual simple form."""
    return 2 * f["sodium"] + f["glucose"] / 18 + f["urea nitrogen"] * 10 / 28


def corrected_calcium(f: Facts) -> Any:
    """Payne RB et al., Br Med J 1973;4:643-646, in conventional units."""
    return f["calcium"] + (4 - f["albumin"]) * 8 / 10


def mean_pressure(f: Facts) -> Any:
    """One third of the pulse pressure above the diastolic pressure."""
    return (f["sbp"] + 2 * f["dbp"]) / 3


def fib4(f: Facts) -> float:
    """Sterling RK et al., Hepatology 2006;43:1317-1325."""
    return float(f["age"] * f["ast"] / f["platelets"]) / sqrt(f["alt"])


def friedewald(f: Facts) -> Any:
    """Friedewald WT et al., Clin Chem 1972;18:499-502."""
    return f["cholesterol"] - f["hdl"] - f["triglycerides"] / 5


def bazett(f: Facts) -> float:
    """Bazett HC, Heart 1920;7:353-370."""
    return float(f["qt"]) / sqrt(60 / f["heart rate"])


def corrected_sodium(f: Facts) -> Any:
    """Katz MA, N Engl J Med 1973;289:843-844."""
    return f["sodium"] + (f["glucose"] - 100) * 16 / 1000


def parkland(f: Facts) -> Any:
    """Baxter CR, Shires T, Ann N Y Acad Sci 1968;150:874-894."""
    return 4 * f["weight"] * f["burned"]


def winters(f: Facts) -> Any:
    """Albert MS et al., Ann Intern Med 1967;66:312-322."""
    return f["bicarbonate"] * 3 / 2 + 8


FORMULAS: Final[tuple[Score, ...]] = (
    Score("creatinine clearance by Cockcroft and Gault", cockcroft_gault, ("weight", "creatinine"), (
        "(140 - age) x weight in kg / (72 x creatinine in mg/dL), for women times 0.85.",
    ), known=True, unit="mL/min"),
    Score("eGFR by CKD-EPI 2021 (creatinine)", ckd_epi, ("creatinine",), (
        "142 x min(Scr/k, 1)^a x max(Scr/k, 1)^(-1.200) x 0.9938^age, for women times 1.012.",
        "Scr is creatinine in mg/dL; k is 0.7 for women and 0.9 for men; a is -0.241 for women and -0.302 for men.",
    ), known=True, unit="mL/min/1.73 m2"),
    Score("MELD-Na score (2016)", meld_na, ("creatinine", "bilirubin", "inr", "sodium"), (
        "MELD is 10 x (0.957 x ln(creatinine) + 0.378 x ln(bilirubin) + 1.120 x ln(INR) + 0.643), rounded to an "
        "integer; creatinine and bilirubin in mg/dL.",
        "Before that, each of the three below 1 is set to 1, and creatinine above 4 is set to 4.",
        "If MELD is above 11, MELD-Na is MELD + 1.32 x (137 - Na) - 0.033 x MELD x (137 - Na), rounded to an integer, "
        "and at most 40; else it is MELD. Na is sodium in mmol/L, set to 125 if lower and to 137 if higher.",
    ), ages=None, unit="points"),
    Score("body mass index", bmi, ("weight", "height"), ("Weight in kg divided by the square of the height in "
    "m.",), ages=None, known=True, scale=10, unit="tenths of kg/m2"),
    Score("body surface area by Mosteller", mosteller, ("weight", "height"), (
        "The square root of (height in cm x weight in kg / 3600), in m2.",
    ), ages=None, known=True, scale=100, unit="hundredths of m2"),
    Score("anion gap", anion_gap, ("sodium", "chloride", "bicarbonate"), ("Sodium - chloride - bicarbonate, in "
    "mmol/L.",), ages=None, unit="mmol/L"),
    Score("calculated serum osmolality", osmolality, ("sodium", "glucose", "urea nitrogen"), (
        "2 x sodium in mmol/L + glucose in mg/dL / 18 + blood urea nitrogen in mg/dL / 2.8.",
    ), ages=None, unit="mosm/kg"),
    Score("calcium corrected for albumin", corrected_calcium, ("calcium", "albumin"), (
        "Total calcium in mg/dL + 0.8 x (4.0 - albumin in g/dL).",
    ), ages=None, scale=10, unit="tenths of mg/dL"),
    Score("mean arterial pressure", mean_pressure, ("sbp", "dbp"), ("(Systolic pressure + 2 x diastolic pressure) / "
    "3.",), ages=None, unit="mmHg"),
    Score("FIB-4 index", fib4, ("ast", "alt", "platelets"), (
        "Age x AST / (platelets x square root of ALT), with AST and ALT in U/L and platelets in x10^9/L.",
    ), known=True, scale=100, unit="hundredths"),
    Score("LDL cholesterol by Friedewald", friedewald, ("cholesterol", "hdl", "triglycerides"), (
        "Total cholesterol - HDL cholesterol - triglycerides / 5, all in mg/dL.",
    ), ages=None, known=True, unit="mg/dL"),
    Score("QTc by Bazett", bazett, ("qt", "heart rate"), (
        "QT in ms divided by the square root of the RR interval in s, which is 60 / heart rate.",
    ), ages=None, known=True, unit="ms"),
    Score("sodium corrected for glucose by Katz", corrected_sodium, ("sodium", "glucose"), (
        "Sodium in mmol/L + 0.016 x (glucose in mg/dL - 100).",
    ), ages=None, scale=10, unit="tenths of mmol/L"),
    Score("fluid of the first 24 hours by the Parkland formula", parkland, ("weight", "burned"), (
        "4 mL x weight in kg x per cent of burned body surface.",
    ), ages=None, unit="mL"),
    Score("expected PaCO2 by Winters", winters, ("bicarbonate",), ("1.5 x bicarbonate in mmol/L + "
    "8.",), ages=None, scale=10, unit="tenths of mmHg"),
)  # fmt: skip
"""Formulas whose values are rounded."""
ALL: Final = {score.name: score for score in (*SCORES, *FORMULAS)}
"""All scores and formulas by name."""

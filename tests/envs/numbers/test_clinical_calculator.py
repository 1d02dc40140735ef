"""clinical-calculator-v0: published examples, a second implementation that reads prompts, and robust results."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from typing import Any, Final

import pytest

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.numbers.clinical_calculator.chart import Style, conversions, draw_patient, facts_of, result
from envhub.envs.numbers.clinical_calculator.environment import ClinicalCalculator
from envhub.envs.numbers.clinical_calculator.formulas import ALL
from envhub.envs.numbers.clinical_calculator.items import FINDINGS, GRADES, QUANTITIES
from tests.envs.numbers.clinical_reader import computed, read

CKD: Final = "eGFR by CKD-EPI 2021 (creatinine)"
AWAKE: Final = {"eyes": "4", "verbal": "5", "motor": "6"}
LUNGS: Final = {"pao2": 80, "fio2": 50, "ventilated": True}
EXAMPLES: Final[list[tuple[str, dict[str, Any], int]]] = [
    # worked examples on public pages
    ("MELD-Na score (2016)", {"bilirubin": 2, "inr": "1.5", "creatinine": "1.2", "sodium": 135}, 17),
    ("MELD-Na score (2016)", {"bilirubin": "1.5", "inr": "1.5", "creatinine": 1, "sodium": 135}, 15),
    ("FIB-4 index", {"age": 54, "ast": 75, "alt": 56, "platelets": 92}, 588),
    ("creatinine clearance by Cockcroft and Gault", {"age": 78, "sex": "F", "weight": 60, "creatinine": 2}, 22),
    # by hand, from the definitions in the sources
    (CKD, {"age": 50, "sex": "F", "creatinine": 1}, 69),
    (CKD, {"age": 50, "sex": "M", "creatinine": 1}, 92),
    (CKD, {"age": 40, "sex": "M", "creatinine": "0.6"}, 125),
    ("body mass index", {"weight": 70, "height": 175}, 229),
    ("body surface area by Mosteller", {"weight": 70, "height": 170}, 182),
    ("anion gap", {"sodium": 140, "chloride": 104, "bicarbonate": 24}, 12),
    ("calculated serum osmolality", {"sodium": 140, "glucose": 90, "urea nitrogen": 14}, 290),
    ("calcium corrected for albumin", {"calcium": 8, "albumin": 2}, 96),
    ("mean arterial pressure", {"sbp": 120, "dbp": 75}, 90),
    ("LDL cholesterol by Friedewald", {"cholesterol": 200, "hdl": 50, "triglycerides": 150}, 120),
    ("QTc by Bazett", {"qt": 400, "heart rate": 60}, 400),
    ("QTc by Bazett", {"qt": 360, "heart rate": 100}, 465),
    ("sodium corrected for glucose by Katz", {"sodium": 130, "glucose": 600}, 1380),
    ("fluid of the first 24 hours by the Parkland formula", {"weight": 70, "burned": 30}, 8400),
    ("expected PaCO2 by Winters", {"bicarbonate": 12}, 260),
    ("CHA2DS2-VASc score", {"age": 75, "sex": "F", "hypertension": True, "stroke": True}, 6),
    ("CHA2DS2-VASc score", {"age": 65, "sex": "M"}, 1),
    ("HAS-BLED score", {"age": 66, "sbp": 161, "creatinine": "2.27", "drugs": True, "alcohol": True}, 5),
    ("HAS-BLED score", {"age": 65, "sbp": 160, "creatinine": "2.26"}, 0),
    ("Wells score for deep vein thrombosis", {"cancer": True, "alternative": True}, -1),
    ("CURB-65 score", {"age": 65, "confusion": True, "urea nitrogen": 20, "breaths": 30, "sbp": 89, "dbp": 61}, 5),
    ("CURB-65 score", {"age": 64, "urea nitrogen": 19, "breaths": 29, "sbp": 90, "dbp": 60}, 1),
    ("qSOFA score", {**AWAKE, "breaths": 22, "sbp": 100, "verbal": "4"}, 3),
    ("qSOFA score", {**AWAKE, "breaths": 21, "sbp": 101}, 0),
    (
        "Child-Pugh score",
        {"bilirubin": 2, "albumin": "3.5", "inr": "1.7", "ascites": "slight", "encephalopathy": "1"},
        10,
    ),
    (
        "Child-Pugh score",
        {"bilirubin": "1.9", "albumin": "3.6", "inr": "1.6", "ascites": "none", "encephalopathy": "0"},
        5,
    ),
    ("Glasgow Coma Scale", {"eyes": "1", "verbal": "1", "motor": "1"}, 3),
    ("Apgar score", {"colour": "1", "pulse": "2", "grimace": "2", "activity": "2", "breathing": "2"}, 9),
    ("McIsaac score", {"age": 10, "temperature": "38.1", "nodes": True, "tonsils": True}, 5),
    ("McIsaac score", {"age": 45, "temperature": 38, "cough": True}, -1),
    ("Ranson score on admission", {"age": 56, "leukocytes": "16.1", "glucose": 201, "ldh": 351, "ast": 251}, 5),
    ("Ranson score on admission", {"age": 55, "leukocytes": 16, "glucose": 200, "ldh": 350, "ast": 250}, 0),
    (
        "SOFA score",  # lungs 3, platelets 2, bilirubin 2, pressure 1, coma 1, kidneys 3
        {
            **AWAKE,
            **LUNGS,
            "verbal": "4",
            "platelets": 90,
            "bilirubin": 2,
            "sbp": 85,
            "dbp": 60,
            "creatinine": "3.5",
        },
        12,
    ),
    (
        "SOFA score",  # lungs 2 without a ventilator, norepinephrine 4
        {
            **AWAKE,
            **LUNGS,
            "fio2": 90,
            "ventilated": False,
            "platelets": 150,
            "bilirubin": "1.1",
            "sbp": 80,
            "dbp": 40,
            "pressor": True,
            "norepinephrine": "0.11",
            "creatinine": "1.1",
        },
        6,
    ),
]


@pytest.mark.parametrize(("name", "facts", "expected"), EXAMPLES)
def test_worked_examples(name: str, facts: dict[str, Any], expected: int) -> None:
    score = ALL[name]
    full: dict[str, Any] = {"age": 50, "sex": "M", **{need: False for need in score.needs if need in FINDINGS}}
    given = {key: Fraction(value) if key in QUANTITIES else value for key, value in facts.items()}
    assert result(score, full | given) == expected


def test_every_score_has_an_example_a_source_and_a_definition() -> None:
    assert {name for name, *_ in EXAMPLES} == set(ALL)
    for score in ALL.values():
        assert score.definition
        assert re.search(r"(18|19|20)\d\d|pressure", score.rule.__doc__ or ""), score.name
        assert set(score.needs) <= {*QUANTITIES, *FINDINGS, *GRADES}


@pytest.mark.parametrize("level", LEVELS)
def test_a_reader_of_the_prompt_solves_it(level: int) -> None:
    def made(wording: int) -> Any:
        return envhub.make("clinical-calculator-v0", difficulty=level, wording=wording)

    env = made(next(n for n in range(60) if "Definition of the" in made(n).reset(seed=0)[0]))
    for seed in range(20):
        prompt = env.reset(seed=seed)[0]
        name, patients = read(prompt)
        values = [math.floor(computed(name, each) + 0.5) for each in patients]
        reward = env.fork().step(f"<answer>{', '.join(map(str, values))}</answer>")[1]
        assert reward == 1.0, (prompt, values, env.episode.instance.key)
        values[-1] += 1
        assert env.step(f"<answer>{', '.join(map(str, values))}</answer>")[1] == 0.0


def test_the_latest_value_counts_and_units_are_converted() -> None:
    entries = [[["value", "creatinine", "2.00", 0, 0]], [["value", "creatinine", "88", 1, 0]]]
    patient = {"age": 50, "sex": "M", "entries": entries}
    assert facts_of(patient, ALL[CKD])["creatinine"] == Fraction(880, 884)
    assert facts_of(patient, ALL[CKD], first=True)["creatinine"] == 2
    assert facts_of(patient, ALL[CKD], unconverted=True)["creatinine"] == 88
    assert conversions([patient]) == ["creatinine in mg/dL = creatinine in µmol/L divided by 88.4"]


def test_nothing_is_drawn_whose_result_depends_on_rounding() -> None:
    rng, style = Stream(b"tests", "robust"), Style(2, 70, 1, 30)
    for name, score in ALL.items():
        drawn = [patient for patient in (draw_patient(rng, score, style) for _ in range(30)) if patient is not None]
        assert len(drawn) >= 12, name
        for patient in drawn:
            facts = facts_of(patient, score)
            for slack in (Fraction(995, 1000), Fraction(1005, 1000)) if not score.unit else ():
                assert result(score, facts_of(patient, score, slack=slack)) == result(score, facts)
            assert not score.unit or abs(float(score.rule(facts)) * score.scale % 1 - 0.5) > 0.02


def test_no_list_of_results_is_frequent() -> None:
    environment = ClinicalCalculator()
    for level in (1, 5, 10):
        rng, params = Stream(b"tests", "blind", level), ClinicalCalculator.Params.at(level)
        problems = [environment.draw(rng, params) for _ in range(300)]
        found = Counter(environment.value(problem) for problem in problems if problem is not None)
        assert found.most_common(1)[0][1] <= 0.03 * sum(found.values())


def test_parameters_that_no_score_meets_are_refused() -> None:
    with pytest.raises(InvalidParameters, match="No score"):
        envhub.make("clinical-calculator-v0", difficulty=3, fewest=5, most=4)

"""clinical-calculator-v0: compute a published score or formula from charts.

Action: one integer for each patient, in order. There are 26 scores and formulas; each names its source
(:mod:`envhub.envs.numbers.clinical_calculator.scores` and ``formulas``). The prompt states the definition, except at high
levels for those whose published definition is unambiguous. Values of formulas are rounded to an integer, where needed in
tenths or hundredths; charts whose result could depend on how it is rounded are not drawn.

Difficulty: more patients; several values of one quantity, of which the latest counts; other units with their factors;
denied findings and those of relatives; findings that are not mentioned. Effort is the number of statements in the charts.
Two problems with the same score and charts are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from envhub.core.errors import InvalidParameters
from envhub.envs.numbers.clinical_calculator.chart import Style, conversions, draw_patient, facts_of, result, sentences
from envhub.envs.numbers.clinical_calculator.formulas import ALL
from envhub.envs.numbers.clinical_calculator.items import FINDINGS
from envhub.envs.numbers.clinical_calculator.scores import Score
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.verifiers.answers.numerals import Integers

_TRIES = 40


def _who(problem: JSON, at: int) -> str:
    patient = problem["patients"][at]
    female = patient["sex"] == "F"
    if problem["score"] == "Apgar score":
        return f"Patient {at + 1}, a newborn {'girl' if female else 'boy'}"
    noun = ("girl" if female else "boy") if patient["age"] < 18 else ("woman" if female else "man")
    return f"Patient {at + 1}, {patient['age']}-year-old {noun}"


def _definition(problem: JSON) -> list[str]:
    score = ALL[problem["score"]]
    source = (score.rule.__doc__ or "").partition("\n")[0].rstrip(".")
    return list(score.definition) if problem["given"] else [f"as published ({source})"]


def _prose(problem: JSON) -> str:
    parts = [f"{problem['score'][0].upper()}{problem['score'][1:]}: {' '.join(_definition(problem))}"]
    for at, patient in enumerate(problem["patients"]):
        days = [f"Day {day + 1}: {' '.join(sentences(patient, day))}" for day in range(len(patient["entries"]))]
        parts.append("\n".join([f"{_who(problem, at)}.", *days]))
    return "\n\n".join(parts + _converted(problem))


def _bullets(problem: JSON) -> str:
    parts = ["\n".join([f"Definition of the {problem['score']}:", *(f"* {each}" for each in _definition(problem))])]
    for at, patient in enumerate(problem["patients"]):
        rows = [
            f"* day {day + 1}: {each}" for day in range(len(patient["entries"])) for each in sentences(patient, day)
        ]
        parts.append("\n".join([f"{_who(problem, at)}", *rows]))
    return "\n\n".join(parts + _converted(problem))


def _json(problem: JSON) -> str:
    charts = {
        _who(problem, at): {f"day {day + 1}": sentences(patient, day) for day in range(len(patient["entries"]))}
        for at, patient in enumerate(problem["patients"])
    }
    stated = {"definition": _definition(problem), "charts": charts}
    if units := conversions(problem["patients"]):
        stated["units"] = units
    return json.dumps({problem["score"]: stated}, indent=1, ensure_ascii=False)


def _table(problem: JSON) -> str:
    rows = [f"{problem['score']} := {' / '.join(_definition(problem))}", *_converted(problem)]
    for at, patient in enumerate(problem["patients"]):
        rows.append(f"[{_who(problem, at)}]")
        rows += [f"d{day + 1} | {' | '.join(sentences(patient, day))}" for day in range(len(patient["entries"]))]
    return "\n".join(rows)


def _converted(problem: JSON) -> list[str]:
    units = conversions(problem["patients"])
    return [f"Units: {'; '.join(units)}."] if units else []


_LATEST = Phrase(
    "Days are in order of time. If a quantity was measured several times, its latest value counts.",
    "Use the latest value of each quantity. Later days have higher numbers.",
    "A quantity may have several values. The one of the highest day counts.",
    held_out="Repeated measurements: last day wins.",
)
_ABSENT = Phrase(
    "A finding that is not mentioned, or is said of another person, is absent.",
    "Findings of other people do not count. What is not mentioned is absent.",
    "Take each finding as absent unless the chart states it of the patient.",
    held_out="Unmentioned findings and findings of others: absent.",
)
_ROUNDED = Phrase(
    "Give each result in {unit}, rounded to an integer. Do not round before the end.",
    "Each result is in {unit}. Round it to the nearest integer, and round nothing before.",
    "Round each result, in {unit}, to an integer, but only at the end.",
    held_out="Results: {unit}, nearest integer, no earlier rounding.",
)
_ORDER = Phrase(
    "Write one integer for each patient, in the order of the patients.",
    "The answer has one integer per patient, from patient 1 on.",
    "List the results of the patients in order, one integer each.",
    held_out="Output: one integer per patient, in order.",
)


class ClinicalCalculator(Value):
    """Compute a published score from charts."""

    Params = levels(
        patients=knob("patients", 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, at_least=3, at_most=12),
        times=knob("maximum number of days of a chart", 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, at_most=12),
        units=knob("per cent of quantities in another unit", 0, 0, 0, 30, 40, 50, 50, 60, 60, 70, at_most=100),
        noise=knob("sentences per patient that say nothing of the score", 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, at_most=9),
        silent=knob(
            "per cent of absent findings that are not mentioned", 0, 0, 20, 30, 40, 40, 50, 50, 60, 60, at_most=100
        ),
        fewest=knob("facts that a score uses, at least", 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, at_least=1, at_most=5),
        most=knob("facts that a score uses, at most", 2, 3, 4, 5, 5, 5, 9, 10, 14, 14, at_least=2, at_most=14),
        named=knob("whether well-known definitions are left out", *[False] * 7, *[True] * 3),
    )
    answer = Integers(asked="a list of integers, separated by commas,", shown="17, 5, 29")
    data = Variants(_prose, _bullets, _json, held_out=_table, name="data")
    task = Phrase(
        "Compute the {score} of each patient from the chart.",
        "What is the {score} of each of these patients?",
        "From the charts, work out the {score} for every patient.",
        held_out="Determine, per chart: {score}.",
    )
    rules: ClassVar[tuple[Phrase, ...]] = (_ORDER,)

    def check(self, p: Any) -> None:
        """Some score must use that many facts."""
        super().check(p)
        if not any(p.fewest <= len(score.needs) <= p.most for score in ALL.values()):
            raise InvalidParameters(f"No score uses {p.fewest} to {p.most} facts.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A score and charts, not all with the same result."""
        score = rng.choice([score for score in ALL.values() if p.fewest <= len(score.needs) <= p.most])
        style = Style(p.times, p.units, p.noise, p.silent)
        patients: list[JSON] = []
        for _ in range(_TRIES):
            patient = draw_patient(rng, score, style)
            if patient is not None:
                patients.append(patient)
            if len(patients) == p.patients:
                break
        problem = {"score": score.name, "given": not (p.named and score.known), "patients": patients}
        return problem if len(patients) == p.patients and len(set(self.value(problem))) > 1 else None

    def form(self, problem: JSON) -> str:
        """The score."""
        return str(problem["score"])

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The unit of the results."""
        return {"unit": ALL[problem["score"]].unit}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """Those that matter for the score."""
        score = ALL[problem["score"]]
        days = any(len(patient["entries"]) > 1 for patient in problem["patients"])
        found = any(name in FINDINGS for name in score.needs)
        return (*[_LATEST] * days, *[_ABSENT] * found, *[_ROUNDED] * bool(score.unit), _ORDER)

    def value(self, problem: JSON) -> tuple[int, ...]:
        """By the facts of the charts."""
        return self._results(problem)

    def _results(self, problem: JSON, **mistake: Any) -> tuple[int, ...]:
        score: Score = ALL[problem["score"]]
        return tuple(result(score, facts_of(patient, score, **mistake)) for patient in problem["patients"])

    def slips(self, problem: JSON) -> Iterable[tuple[int, ...]]:
        """First values, unconverted units, another order, one off."""
        right = self.value(problem)
        yield self._results(problem, first=True)
        yield self._results(problem, unconverted=True)
        yield right[::-1]
        yield tuple(each + 1 for each in right)
        yield (*right[:-1], right[-1] - 1)

    def effort(self, inst: Instance) -> float:
        """Number of statements in the charts, and of definitions to know."""
        problem = inst.problem
        rows = sum(len(entry) for patient in problem["patients"] for entry in patient["entries"])
        return float(rows + 5 * (not problem["given"]))

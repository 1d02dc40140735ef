"""The prompt of equation-v0.

Phrasings of the rules, and renderings of the equations.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list
from envhub.core.types import JSON
from envhub.envs.rule_based.equation import equations as engine

_EQUATION: Final = Phrase(
    "Solve this equation for {unknowns}.",
    "Which value of {unknowns} satisfies the equation?",
    "Find {unknowns} from this equation.",
    "Could you solve the equation for {unknowns}?",
    held_out="Determine the number {unknowns} for which the equation holds.",
)
_QUADRATIC: Final = Phrase(
    "Find all solutions of this equation for {unknowns}.",
    "Which values of {unknowns} satisfy the equation? Find all of them.",
    "Solve the equation for {unknowns}, and give every solution.",
    held_out="Determine the complete set of numbers {unknowns} for which the equation holds.",
)
_SYSTEM: Final = Phrase(
    "Solve this system of equations for {unknowns}.",
    "Which values of {unknowns} satisfy all of these equations?",
    "Find {unknowns} such that every one of these equations holds.",
    "Could you solve these equations for {unknowns}?",
    held_out="Determine the numbers {unknowns} for which all equations hold simultaneously.",
)
_ORDER: Final = Phrase(
    "Multiplication (*) and division (/) come before addition and subtraction, and are applied from left to right.",
    "* and / mean multiplication and division. They are applied from left to right, before addition and subtraction.",
    "Multiply (*) and divide (/) from left to right, before you add and subtract.",
    held_out="The operators * (product) and / (quotient) bind more tightly than + and -, and associate to the left.",
)
_POWER: Final = Phrase(
    "^2 means the square, and is applied before the other operators.",
    "The notation ^2 stands for squaring, which comes before all other operations.",
    "A square is written ^2. It is computed first.",
    held_out="The suffix ^2 denotes the second power and binds most tightly.",
)
_ONE: Final = Phrase(
    "There is exactly one solution. Give the value of {unknowns}.",
    "The equation has one solution only: give the value of {unknowns}.",
    "Give the value of {unknowns}. No other value is a solution.",
    held_out="The solution is unique. Report {unknowns}.",
)
_ALL: Final = Phrase(
    "There is exactly one solution. Give the values of {unknowns}.",
    "The system has one solution only: give the values of {unknowns}.",
    "Give the values of {unknowns}. No other values are a solution.",
    held_out="The solution is unique. Report each of {unknowns}.",
)
_ONE_OR_TWO: Final = Phrase(
    "The equation has one or two solutions. Give each of them once, in the form {unknowns} = value.",
    "There are one or two solutions. List each of them a single time, written as {unknowns} = value.",
    "Give every solution once, each as {unknowns} = value. There are either one or two.",
    held_out="The set of solutions has one or two members. Report each member once as {unknowns} = value.",
)
_EXACT: Final = Phrase(
    "Values must be exact: write integers or fractions, and do not round.",
    "Give exact values, as integers or fractions. Rounded values are wrong.",
    "Write each value exactly, as an integer or as a fraction, without rounding.",
    held_out="All values are rational numbers and must be stated exactly, not as approximations.",
)


def _lines(problem: JSON) -> list[str]:
    return [f"{engine.render(left)} = {engine.render(right)}" for left, right in problem["equations"]]


def _plain(problem: JSON) -> str:
    return "\n".join(_lines(problem))


def _numbered(problem: JSON) -> str:
    return "\n".join(f"Equation {at}: {line}" for at, line in enumerate(_lines(problem), 1))


def _as_json(problem: JSON) -> str:
    return json.dumps({"unknowns": problem["unknowns"], "equations": _lines(problem)})


def _by_sides(problem: JSON) -> str:
    told = ["For each n, the left side Ln equals the right side Rn."]
    for at, (left, right) in enumerate(problem["equations"], 1):
        told += [f"L{at}: {engine.render(left)}", f"R{at}: {engine.render(right)}"]
    return "\n".join(told)


_DATA: Final[Variants[Rendering]] = Variants(_plain, _numbered, _as_json, held_out=_by_sides, name="data")


def statement(problem: JSON) -> Statement:
    """A problem before it is worded."""
    kind = problem["kind"]
    task, note = {"linear": (_EQUATION, _ONE), "quadratic": (_QUADRATIC, _ONE_OR_TWO), "system": (_SYSTEM, _ALL)}[kind]
    return Statement(
        task=task,
        data=_DATA,
        problem=problem,
        rules=(_ORDER, *([_POWER] if kind == "quadratic" else []), _EXACT),
        note=note,
        values={"unknowns": and_list(problem["unknowns"])},
    )

"""units-v0: answer a question about quantities in invented units.

Action: one exact number. Difficulty: more conversions on the way, conversions with fractions and conversions that are not
needed; effort is the number of conversions. The order of the conversions does not change the problem.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from envhub.envs.numbers.phrases import EXACT
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.numbers import units
from envhub.verifiers.answers.types import Rational


def _sentences(problem: Any) -> str:
    return "\n".join(f"- {units.sentence(fact)}" for fact in problem["facts"])


def _prose(problem: Any) -> str:
    return " ".join(units.sentence(fact) for fact in problem["facts"])


def _equations(problem: Any) -> str:
    return "\n".join(f"{count} {one} = {number} {other}" for count, one, number, other in problem["facts"])


def _object(problem: Any) -> str:
    return json.dumps({"equal_quantities": [[[n, one], [m, other]] for n, one, m, other in problem["facts"]]})


class Units(Value):
    """Convert quantities of invented units."""

    Params = levels(
        links=knob("conversions on the way", 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, at_least=1, at_most=14),
        spare=knob("conversions that are not needed", 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, at_most=10),
        largest=knob("largest number of a quantity", 60, 60, 60, 80, 80, 100, 120, 150, 200, 300, at_least=9),
        fractions=knob("whether conversions may have a number other than 1 on both sides", *[False] * 3, *[True] * 7),
    )
    answer = Rational()
    data = Variants(_sentences, _prose, _equations, held_out=_object, name="conversions")
    task = Phrase(
        "Some units of length, and perhaps of time, are related by conversions. Express {quantity} in {target}.",
        "Use the conversions between these units to answer: what is {quantity}, in {target}?",
        "Given how these units convert into each other, convert {quantity} to {target}.",
        held_out="For the given system of units, determine {quantity}, measured in {target}.",
    )
    _areas = Phrase(
        "A square blem is the area of a square with sides of 1 blem, and a cubic blem is the volume of a cube with edges of "
        "1 blem. The same holds for every other unit of length.",
        "Squares with sides of 1 unit have an area of 1 square unit, and cubes with edges of 1 unit a volume of 1 cubic unit, "
        "whatever the unit of length is.",
        "For each unit of length, 1 square unit is the area of a square with sides of 1 unit, and 1 cubic unit is the volume "
        "of a cube with edges of 1 unit.",
        held_out="If u is a unit of length, a square u is u * u and a cubic u is u * u * u.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A question of a random kind."""
        kinds = [kind for kind, one in units.KINDS.items() if p.links > 1 or not one.times]
        found = units.draw(rng, rng.choice(kinds), p.links, p.largest, p.fractions, p.spare)
        value = units.value(found)
        return found if value and value.denominator < 10**9 and value not in found["numbers"] else None

    def value(self, problem: JSON) -> Fraction:
        """By exact fractions."""
        return units.value(problem)

    def values(self, problem: JSON) -> dict[str, str]:
        """The question in words."""
        return {"quantity": units.quantity(problem), "target": units.target(problem)}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """What square and cubic units are, if they occur."""
        return (self._areas, EXACT) if units.target(problem).startswith(("square", "cubic")) else (EXACT,)

    def slips(self, problem: JSON) -> list[Fraction]:
        """The inverse conversion, a power forgotten, and neighbours."""
        right = self.value(problem)
        return [1 / right, right**2, right * 2, right / 2, right * 12, right + 1, Fraction(problem["numbers"][0])]

    def canonical(self, content: JSON) -> JSON:
        """The question, and the conversions in a fixed order and direction."""
        facts = sorted(min([n, one, m, other], [m, other, n, one], key=repr) for n, one, m, other in content["facts"])
        return [content["kind"], content["numbers"], content["units"], content["target"], sorted(facts, key=repr)]

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["kind"])

    def effort(self, inst: Instance) -> float:
        """Conversions on the way."""
        return float(units.conversions(inst.problem))

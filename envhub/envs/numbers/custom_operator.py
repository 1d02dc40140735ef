"""custom-operator-v0: evaluate an expression of operators that the problem defines.

Action: one integer. Difficulty: more operators, more applications and larger numbers; effort is the number of arithmetic
operations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.numbers import formulas, operators
from envhub.generators.numbers.formulas import Operator

_SYMBOLS = ("\u2295", "\u2297", "\u25c7", "\u25b3")
_NAMES = ("f", "g", "h", "k")


def _operators(problem: Any) -> Mapping[str, Operator]:
    """The defined operators, by their places."""
    return {
        place: Operator(_NAMES[int(place)], 0, _applied(definition), "", _SYMBOLS[int(place)])
        for place, definition in problem["definitions"].items()
    }


def _applied(definition: Mapping[str, Any]) -> Any:
    return lambda a, b: operators.apply(definition, a, b)


def _meanings(problem: Any) -> list[str]:
    found = set().union(*map(operators.used, problem["definitions"].values()))
    return [meaning for key, meaning in operators.MEANINGS.items() if key in found]


def _lines(problem: Any, head: str, names: tuple[str, ...]) -> list[str]:
    definitions = problem["definitions"].items()
    lines = [f"{head.format(names[int(place)])} = {operators.written(one)}" for place, one in definitions]
    return [*lines, *_meanings(problem)]


def _symbols(problem: Any) -> str:
    text = formulas.infix(problem["formula"], _operators(problem))
    return "\n".join([*_lines(problem, "a {} b", _SYMBOLS), "", f"Expression: {text}"])


def _functions(problem: Any) -> str:
    text = formulas.calls(problem["formula"], _operators(problem))
    return "\n".join([*_lines(problem, "{}(a, b)", _NAMES), "", f"Expression: {text}"])


def _steps(problem: Any) -> str:
    lines = formulas.steps(problem["formula"], _operators(problem))
    return "\n".join([*_lines(problem, "a {} b", _SYMBOLS), "", *lines, f"The expression is t{len(lines)}."])


def _object(problem: Any) -> str:
    definitions = {_NAMES[int(place)]: operators.written(one) for place, one in problem["definitions"].items()}
    text = formulas.prefix(problem["formula"], _operators(problem))
    whole = {
        "operators of a and b": definitions,
        "functions": _meanings(problem),
        "expression, as (operator a b)": text,
    }
    return json.dumps(whole, indent=1)


class CustomOperator(Value):
    """Evaluate an expression of defined operators."""

    Params = levels(
        operators=knob("how many operators are defined", 1, 1, 2, 2, 2, 2, 3, 3, 4, 4),
        applications=knob("how often they are applied", 1, 2, 2, 3, 4, 5, 6, 8, 10, 13, at_most=24),
        largest=knob("largest number", 30, 30, 30, 30, 30, 40, 40, 50, 60, 80, at_least=9, at_most=1000),
    )
    answer = Integer()
    data = Variants(_symbols, _functions, _steps, held_out=_object, name="definitions")
    task = Phrase(
        "The operators of this problem have special definitions. Evaluate the expression.",
        "Compute the value of the expression by the definitions of its operators.",
        "What is the value of the expression, given how its operators are defined?",
        held_out="Let the operators be as defined. Determine the value of the expression.",
    )
    rules = (
        Phrase(
            "In a definition, a is the left or first operand and b the right or second one. "
            "Products come before sums and differences.",
            "a stands for the first (left) operand and b for the second (right) one. * is applied before + and -.",
            "Replace a by the first operand and b by the second; in an expression, these are the left and the right one. "
            "Multiplication comes before addition and subtraction.",
            held_out="a and b denote the first and the second operand (left and right); * binds more tightly than + and -.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """An expression whose values stay small, and in which every operator occurs."""
        kinds = rng.sample(operators.KINDS, p.operators)
        definitions = {str(place): operators.draw_definition(rng, kind) for place, kind in enumerate(kinds)}
        numbers = [rng.between(2, p.largest) for _ in range(p.applications + 1)]
        found = {"definitions": definitions, "formula": formulas.grow(rng, numbers, list(definitions), True)}
        if len(formulas.arities(found["formula"])) < p.operators:
            return None
        values = [value for _, *pair in formulas.operations(found["formula"], _operators(found), int) for value in pair]
        return found if max(map(abs, values)) < 10**7 and 20 < abs(self.value(found)) < 10**7 else None

    def value(self, problem: JSON) -> int:
        """By the definitions."""
        return int(formulas.evaluate(problem["formula"], _operators(problem), int))

    def slips(self, problem: JSON) -> list[int]:
        """Operands interchanged at the end, and neighbours."""
        key, left, right = problem["formula"]
        swapped = self.value({**problem, "formula": [key, right, left]})
        value = self.value(problem)
        return [swapped, value + 1, value - 1, -value]

    def canonical(self, content: JSON) -> JSON:
        """The problem without the kinds of its definitions."""
        bare = [[place, one["when"], one["then"], one["otherwise"]] for place, one in content["definitions"].items()]
        return [bare, content["formula"]]

    def form(self, problem: JSON) -> str:
        """The kinds of the definitions."""
        return ", ".join(sorted(one["kind"] for one in problem["definitions"].values()))

    def effort(self, inst: Instance) -> float:
        """Arithmetic operations, in the cases that apply."""
        definitions = inst.problem["definitions"]
        steps = formulas.operations(inst.problem["formula"], _operators(inst.problem), int)
        return float(sum(formulas.size(operators.branch(definitions[place], a, b)) for place, a, b in steps))

"""Renderings that members of several families share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from envhub.authoring.wording import Variants
from envhub.generators.numbers import formulas
from envhub.generators.numbers.formulas import Formula, Operators


def listed(field: str, name: str, between: str = ", ") -> Variants[Callable[[Any], str]]:
    """Renderings of a list of numbers.

    On one line, one per line, as JSON; held out: with indices.

    Args:
        field: The field of the problem that holds the list.
        name: What one number is called, in the singular: ``"number"``.
        between: What separates numbers on one line.
    """

    def on_a_line(problem: Any) -> str:
        return f"{name.capitalize()}s: {between.join(map(str, problem[field]))}"

    def on_lines(problem: Any) -> str:
        return "\n".join([f"The {name}s, one per line:", *map(str, problem[field])])

    def as_json(problem: Any) -> str:
        return json.dumps({f"{name}s": problem[field]}, ensure_ascii=False)

    def indexed(problem: Any) -> str:
        return "\n".join(f"{name}[{at}] = {value}" for at, value in enumerate(problem[field], 1))

    return Variants(on_a_line, on_lines, as_json, held_out=indexed, name="data")


def labelled(**labels: str) -> Variants[Callable[[Any], str]]:
    """Renderings of a few named values.

    One per line, as JSON, as a table; held out: as assignments.

    Args:
        labels: What each value is called, by field of the problem, in lower case: ``source="base"``.
    """

    def on_lines(problem: Any) -> str:
        names = {field: label if len(label) == 1 else label[0].upper() + label[1:] for field, label in labels.items()}
        return "\n".join(f"{name}: {problem[field]}" for field, name in names.items())

    def as_json(problem: Any) -> str:
        return json.dumps({label.replace(" ", "_"): problem[field] for field, label in labels.items()})

    def as_table(problem: Any) -> str:
        return "\n".join(
            ["| name | value |", "|---|---|", *(f"| {label} | {problem[f]} |" for f, label in labels.items())]
        )

    def assigned(problem: Any) -> str:
        return "; ".join(f"{label} := {problem[field]}" for field, label in labels.items())

    return Variants(on_lines, as_json, as_table, held_out=assigned, name=f"data of {', '.join(labels)}")


def written(field: str, operators: Operators, number: Callable[[Any], str] = str) -> Variants[Callable[[Any], str]]:
    """Renderings of a formula.

    Infix, as assignments, as function calls; held out: operators before their operands.

    Args:
        field: The field of the problem that holds the formula.
        operators: What its operators mean.
        number: How a number is written between operators.
    """

    def between(problem: Any) -> str:
        text = formulas.infix(problem[field], operators, number)
        return "\n\n".join(filter(None, [text, formulas.order_of(problem[field], operators)]))

    def assigned(problem: Any) -> str:
        lines = formulas.steps(problem[field], operators, number) or [f"t1 = {problem[field]}"]
        return "\n".join([*lines, "", f"The value of the expression is t{len(lines)}."])

    def called(problem: Any) -> str:
        meaning = _meaning(problem[field], operators, "{}(a, b)")
        return "\n\n".join(filter(None, [formulas.calls(problem[field], operators), meaning]))

    def before(problem: Any) -> str:
        meaning = _meaning(problem[field], operators, "({} a b)")
        return "\n\n".join(filter(None, [formulas.prefix(problem[field], operators), meaning]))

    return Variants(between, assigned, called, held_out=before, name="formula")


def _meaning(formula: Formula, operators: Operators, notation: str) -> str:
    """What the names of a formula's binary operators mean."""
    used = formulas.arities(formula)
    binary = [operators[key] for key in operators if used.get(key) == 2]
    return " ".join(f"{notation.format(operator.name)} means a {operator.symbol} b." for operator in binary)

"""FormulaValue: the exact value of a formula.

The problem holds the formula in its field ``formula``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.core.types import JSON, Instance
from envhub.families.value import Value
from envhub.generators.numbers import formulas
from envhub.generators.numbers.formulas import ARITHMETIC, Operators


class FormulaValue(Value):
    """The value of a formula.

    Attributes:
        operators: What its operators mean.
    """

    operators: ClassVar[Operators] = ARITHMETIC

    def value(self, problem: JSON) -> Any:
        """By exact fractions."""
        return formulas.evaluate(problem["formula"], self.operators)

    def finite(self, formula: Any) -> Any:
        """The value of a formula; None if it divides by zero."""
        try:
            return formulas.evaluate(formula, self.operators)
        except ZeroDivisionError:
            return None

    def canonical(self, content: JSON) -> JSON:
        """The formula with its sums and products in a fixed order."""
        rest = {name: part for name, part in content.items() if name != "formula"}
        return [formulas.canonical(content["formula"], self.operators), rest]

    def effort(self, inst: Instance) -> float:
        """Digit operations by hand."""
        return float(formulas.work(inst.problem["formula"], self.operators))

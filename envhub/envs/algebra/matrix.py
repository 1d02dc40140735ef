"""matrix-v0: compute a determinant, inverse, product or reduced row echelon form.

Action: one matrix, or one number for a determinant. The rank of a matrix is asked for by its reduced row echelon form, which
proves it. Difficulty: larger matrices; effort is the number of multiplications by the schoolbook method.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from envhub.families.expression_kit import JSON, ExpressionValue, Instance, Phrase, Stream, knob, levels
from envhub.families.matrix_renderings import latex, listed, matrices
from envhub.generators.algebra.matrices import determinant, echelon, inverse, of_rank, product, triangular_product
from envhub.verifiers.answers.exact import ExactMatrix

_ASKED: Final = {
    "determinant": "determinant of A",
    "inverse": "inverse of A",
    "product": "product A*B",
    "echelon": "reduced row echelon form of A",
}
_NAMES: Final = {
    "determinant": ("detA", "|A|"),
    "inverse": ("A^-1", "invA"),
    "product": ("AB", "A*B"),
    "echelon": ("rrefA", "RREFA"),
}
"""Names of the question's quantity, as :meth:`Exact.named` spells them."""


class MatrixValue(ExpressionValue):
    """Compute a determinant, inverse, product or reduced row echelon form."""

    Params = levels(
        size=knob("rows of the matrices", 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, at_least=2),
        entry=knob("largest entry that is drawn", 7, 9, 5, 9, 6, 9, 6, 9, 9, 9, at_least=3),
        operation=knob("which operation is asked for", "any", choices=("any", *_ASKED)),
    )
    one_text = True
    answer = ExactMatrix(
        options={"of": "rational"},
        literal=True,
        called="one matrix or one number",
        shown="[[17, 5/3], [-3, 2]]",
        names=tuple(name for names in _NAMES.values() for name in names),
    )
    data = matrices(lambda problem: {name: problem[name] for name in ("A", "B") if name in problem})
    task = Phrase(
        "Compute the {asked}.",
        "What is the {asked}?",
        "Find the {asked}.",
        held_out="Determine the {asked}.",
    )
    rules = (
        Phrase(
            "Write a matrix as a list of rows, such as [[1, 2], [3, 4]]. Write a determinant as a number.",
            "A matrix is written as a list of its rows, for example [[1, 2], [3, 4]], and a determinant as a number.",
            "If the answer is a matrix, list its rows as in [[1, 2], [3, 4]]. If it is a determinant, give a number.",
            held_out="Give a matrix as a list of rows like [[1, 2], [3, 4]], and a determinant as one number.",
        ),
        Phrase(
            "All numbers must be exact integers or fractions.",
            "Give exact numbers, as integers or fractions.",
            "Do not round: use integers and fractions.",
            held_out="Only exact integers and fractions count.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A matrix, or two for a product, with a nontrivial answer."""
        operation = rng.choice([*_ASKED]) if p.operation == "any" else p.operation
        size, entry = p.size, p.entry
        if operation == "inverse":
            one = triangular_product(rng, size, max(2, entry // 3))
        elif operation == "echelon":
            one = of_rank(rng, size, size + 1, size - 1, entry)
        else:
            one = [[rng.between(-entry, entry) for _ in range(size)] for _ in range(size)]
        problem = {"asked": _ASKED[operation], "A": one}
        if operation == "product":
            problem["B"] = [[rng.between(-entry, entry) for _ in range(size)] for _ in range(size)]
        value = _value(problem)
        unusual = len({str(each) for row in value for each in row}) > 3 or (
            operation == "determinant" and abs(value[0][0]) > 3
        )
        return (problem, _written(value)) if unusual else None

    def example(self, problem: JSON) -> str:
        """A number for a determinant, else a matrix of the right size."""
        size = len(problem["A"])
        if problem["asked"] == _ASKED["determinant"]:
            return "17"
        width = size + (problem["asked"] == _ASKED["echelon"])
        return _written([[17 if row == column else 5 - column for column in range(width)] for row in range(size)])

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """The same entries, under the name of the question or none."""
        name = self.answer.named(given.text)[0]
        if name and name not in _named(problem):
            return f"Give the {problem['asked']}."
        return self.answer.compare(right, given)

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """With a name, in LaTeX, with other fractions and spaces."""
        value = _value(problem)
        yield from (f"{name} = {right}" for name in _named(problem))
        if len(value) > 1:
            yield latex(value)
            yield right.replace(" ", "")
        yield listed(
            [[f"{2 * Fraction(one).numerator}/{2 * Fraction(one).denominator}" for one in row] for row in value]
        )

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """Transposed, negated, one entry changed, factors swapped, the matrix itself, another name."""
        value = _value(problem)
        yield _written([*zip(*value, strict=True)])
        yield _written([[-one for one in row] for row in value])
        yield _written([[value[0][0] + 1, *value[0][1:]], *value[1:]])
        yield _written(problem["A"])
        yield from (f"{name} = {right}" for name in self.answer.names if name not in _named(problem))
        if "B" in problem:
            yield _written(product(problem["B"], problem["A"]))

    def effort(self, inst: Instance) -> float:
        """Multiplications of elimination, or of a product."""
        return float(len(inst.problem["A"]) ** 3)


def _value(problem: JSON) -> list[list[Any]]:
    """The answer as a matrix.

    A determinant has one row and one column.
    """
    one, asked = problem["A"], problem["asked"]
    if asked == _ASKED["determinant"]:
        return [[determinant(one)]]
    if asked == _ASKED["product"]:
        return product(one, problem["B"])
    return echelon(one) if asked == _ASKED["echelon"] else inverse(one) or []


def _named(problem: JSON) -> tuple[str, ...]:
    """The names of what a problem asks for."""
    return next(_NAMES[operation] for operation, asked in _ASKED.items() if asked == problem["asked"])


def _written(value: Any) -> str:
    return str(value[0][0]) if len(value) == len(value[0]) == 1 else listed(value)

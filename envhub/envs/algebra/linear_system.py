"""linear-system-v0: solve a linear system with one, many or no solutions.

Action: the solutions by name, with parameters if there are many; or a proof that there is no solution: factors of the
equations that add up to a contradiction. Difficulty: more unknowns, and from level 3 on all three cases with equal chance;
effort is the number of multiplications of elimination. The order of the equations does not change the problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from envhub.families.expression_kit import JSON, ExpressionValue, Instance, Phrase, Stream, Variants, knob, levels
from envhub.generators.algebra.formulas import number, plus, times
from envhub.generators.algebra.matrices import Matrix, echelon, null_space, of_rank, product, rank, transposed
from envhub.generators.algebra.notation import latex, plain
from envhub.verifiers.answers.linear_solutions import LinearSolutions, write, write_none

_NAMES: Final = "xyzuvw"
_PARAMETERS: Final = "rst"


def _sides(problem: JSON, writer: Any) -> list[tuple[str, str]]:
    lines = [plus(*map(times, row, problem["unknowns"])) for row in problem["matrix"]]
    return [(writer(line), str(value)) for line, value in zip(lines, problem["right"], strict=True)]


def _equations(problem: JSON) -> str:
    return "\n".join(f"({at}) {left} = {right}" for at, (left, right) in enumerate(_sides(problem, plain), 1))


def _cases(problem: JSON) -> str:
    rows = " \\\\ ".join(f"{left} &= {right}" for left, right in _sides(problem, latex))
    return f"\\[ \\begin{{aligned}} {rows} \\end{{aligned}} \\]"


def _as_json(problem: JSON) -> str:
    data = {"unknowns": problem["unknowns"], "rows": problem["matrix"], "right_sides": problem["right"]}
    return f"Each row lists the coefficients of one equation, in the order of the unknowns.\n{json.dumps(data)}"


def _augmented(problem: JSON) -> str:
    rows = [
        " ".join(map(str, row)) + f" | {value}" for row, value in zip(problem["matrix"], problem["right"], strict=True)
    ]
    return "\n".join([f"Augmented matrix, columns {', '.join(problem['unknowns'])} | right side:", *rows])


class LinearSystem(ExpressionValue):
    """Solve a system of linear equations with one, many or no solutions."""

    Params = levels(
        unknowns=knob("how many unknowns and equations", 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, at_least=2),
        size=knob("largest coefficient that is drawn", 5, 9, 4, 7, 4, 7, 4, 7, 4, 8, at_least=3, at_most=20),
        cases=knob("whether there may also be many or no solutions", *[False] * 2, *[True] * 8),
    )
    one_text = True
    answer: LinearSolutions = LinearSolutions()  # type: ignore[assignment]
    data = Variants(_equations, _cases, _as_json, held_out=_augmented, name="data")
    task = Phrase(
        "Solve this system of {count} linear equations for {listed}.",
        "Find all solutions {listed} of the system of {count} linear equations.",
        "Determine all values of {listed} that satisfy the {count} linear equations.",
        held_out="Compute the complete solution set, in the unknowns {listed}, of {count} linear equations.",
    )
    rules = (
        Phrase(
            "If there is exactly one solution, give the value of each unknown, as in x = 3, y = -1/2.",
            "For exactly one solution, write the value of each unknown, as in x = 3, y = -1/2.",
            "Exactly one solution: give each unknown with its value, as in x = 3, y = -1/2.",
            held_out="When the solution is unique, state each unknown with its value, as in x = 3, y = -1/2.",
        ),
        Phrase(
            "If there are infinitely many solutions, express each unknown by parameters such as r, s and t, as in "
            "x = 1 - 2*t, y = t. All solutions must be covered.",
            "For infinitely many solutions, give each unknown in terms of parameters such as r, s and t, as in "
            "x = 1 - 2*t, y = t, so that every solution is covered.",
            "Infinitely many solutions: write each unknown with parameters such as r, s and t, as in x = 1 - 2*t, y = t. "
            "Every solution must occur.",
            held_out="When there are infinitely many solutions, parametrize all of them: each unknown by r, s, t, as in "
            "x = 1 - 2*t, y = t.",
        ),
        Phrase(
            "If there is no solution, write none and one factor per equation, in the order of the equations, as in "
            "none: 1, -2, 1. The equations times these factors must add up to 0 = c with a number c that is not 0.",
            "For no solution, write none with a factor for each equation in order, as in none: 1, -2, 1. Multiplied by these "
            "factors, the equations must add up to 0 = c, where c is not 0.",
            "No solution: write none, then a factor for each equation in order, as in none: 1, -2, 1. The sum of the equations "
            "times their factors must read 0 = c, and c may not be 0.",
            held_out="When no solution exists, prove it: write none and the factors of the equations in order, as in "
            "none: 1, -2, 1, for which the equations add up to 0 = c with c different from 0.",
        ),
        Phrase(
            "Numbers must be exact integers or fractions.",
            "Give exact numbers, as integers or fractions.",
            "Do not round: write integers and fractions.",
            held_out="Only exact integers and fractions count.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, str] | None:
        """A matrix of full or lower rank, and its right sides.

        The system may have one solution, many or none.
        """
        size, names = p.unknowns, [*_NAMES[: p.unknowns]]
        case = rng.below(3) if p.cases else 0
        wanted = size - (1 + (size > 4 and rng.below(2)) if case else 0)
        matrix = of_rank(rng, size, size, wanted, p.size) if case else _square(rng, size, p.size)
        if rank(matrix) != wanted or not all(map(any, matrix)) or not all(map(any, transposed(matrix))):
            return None
        planted = [[rng.between(-9, 9)] for _ in range(size)]
        right = [row[0] for row in product(matrix, planted)]
        problem = {"unknowns": names, "matrix": matrix, "right": right, "count": size}
        if case != 2:
            return problem, _solved(names, matrix, right)
        factors = null_space(transposed(matrix))[0]
        at = rng.choice([place for place, one in enumerate(factors) if one])
        right[at] += rng.between(1, 9)
        return problem, write_none(factors)

    def values(self, problem: JSON) -> dict[str, str]:
        """The unknowns, listed."""
        *most, last = problem["unknowns"]
        return {"listed": f"{', '.join(most)} and {last}"}

    def example(self, problem: JSON) -> str:
        """A value for each unknown."""
        return write({name: str(17 - 5 * at) for at, name in enumerate(problem["unknowns"])})

    def judge(self, problem: JSON, right: Any, given: Any) -> bool | str | None:
        """By substitution, and by the number of independent parameters."""
        matrix, sides = problem["matrix"], problem["right"]
        if given.values is None:
            if len(given.factors) != len(matrix):
                return f"Give {len(matrix)} factors, one per equation."
            left, (total,) = product([given.factors], matrix)[0], product([given.factors], [[one] for one in sides])[0]
            return not any(left) and bool(total)
        lines = {name: dict(line) for name, line in given.values}
        names = problem["unknowns"]
        free = sorted({one for line in lines.values() for one in line if one})
        if set(lines) != set(names) or set(free) & set(names):
            return f"Give each of {', '.join(names)} once, in terms of other letters."
        fixed = [[lines[name].get("", 0)] for name in names]
        if product(matrix, fixed) != [[one] for one in sides]:
            return False
        ways = [[lines[name].get(one, 0) for name in names] for one in free]
        if ways and any(map(any, product(matrix, transposed(ways)))):
            return False
        missing = len(names) - rank(matrix) - (rank(ways) if ways else 0)
        return "These are solutions, but not all of them." if missing else True

    def forms(self, problem: JSON, right: str) -> Iterator[str]:
        """Reversed, on lines, in other parameters, with a remark about them."""
        if right.startswith("none"):
            yield write_none([2 * one for one in self.answer.parse(right).factors])
        else:
            yield ", ".join(reversed(right.split(", ")))
            yield right.replace(", ", "\n")
            yield right.replace("t", "(1 - 2*t)").replace("s", "(s + t)")
            if "t" in right:
                yield f"{right}, t \\in \\mathbb{{R}}"
                yield f"{right} where t is any real number"

    def slips(self, problem: JSON, right: str) -> Iterator[str]:
        """A missing unknown, a changed value, some of many solutions, false proofs."""
        yield "none"
        yield write_none([Fraction(1)] * problem["count"])
        yield write_none([Fraction(0)] * problem["count"])
        if not right.startswith("none"):
            yield ", ".join(right.split(", ")[1:])
            yield f"{right} + 1"
            yield from (f"{right}, {condition}" for condition in ("t > 0", "t \\in \\mathbb{Z}", "x real"))
            yield right.replace("t", "0") if "t" in right else f"{right} + t"

    def canonical(self, content: JSON) -> JSON:
        """The equations in a fixed order."""
        return sorted([*row, value] for row, value in zip(content["matrix"], content["right"], strict=True))

    def effort(self, inst: Instance) -> float:
        """Multiplications of elimination."""
        return float(inst.problem["count"] ** 3)


def _square(rng: Stream, size: int, largest: int) -> Matrix:
    return [[rng.between(-largest, largest) for _ in range(size)] for _ in range(size)]


def _solved(names: list[str], matrix: Matrix, right: list[int]) -> str:
    """The solutions by the reduced row echelon form.

    Unknowns without a pivot are parameters.
    """
    rows = [row for row in echelon([[*row, value] for row, value in zip(matrix, right, strict=True)]) if any(row)]
    pivots = [next(at for at, one in enumerate(row) if one) for row in rows]
    free = dict(zip((at for at in range(len(names)) if at not in pivots), reversed(_PARAMETERS), strict=False))
    values = {names[at]: name for at, name in free.items()}
    for row, pivot in zip(rows, pivots, strict=True):
        values[names[pivot]] = plain(
            plus(*(times(number(-row[at]), name) for at, name in free.items()), number(row[-1]))
        )
    return write({name: values[name] for name in names})

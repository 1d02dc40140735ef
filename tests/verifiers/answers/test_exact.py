"""Answers compared by proof: a name of the asked quantity before its value."""

from __future__ import annotations

import pytest

from envhub.envs.algebra.matrix import MatrixValue
from envhub.verifiers.answers.exact import Exact, ExactMatrix

NUMBER = Exact(kind="complex", names=("z",))
MATRIX = ExactMatrix(options={"of": "rational"}, literal=True, names=("detA", "A^-1"))


@pytest.mark.parametrize(
    ("answer", "text", "plain"),
    [
        (NUMBER, "z = 1 + 2i", "1 + 2i"),
        (NUMBER, "$z$ = $1 + 2i$", "1 + 2i"),
        (MATRIX, r"\det(A) = 17", "17"),
        (MATRIX, r"\operatorname{det} A = 17", "17"),
        (MATRIX, r"A^{-1} = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "[[1, 2], [3, 4]]"),
    ],
)
def test_a_name_of_the_asked_quantity_is_dropped(answer: Exact, text: str, plain: str) -> None:
    assert answer.read(text).value.value == answer.parse(plain).value


@pytest.mark.parametrize(
    "text", ["w = 1 + 2i", "z* = 1 + 2i", "-z = 1 + 2i", "z^2 = 1 + 2i", "z = w = 1 + 2i", "z = 1 + 2i = 3"]
)
def test_another_name_or_equation_is_not_read(text: str) -> None:
    assert NUMBER.read(text).reason == "unreadable"


def test_a_matrix_under_the_name_of_another_quantity_does_not_count() -> None:
    environment = MatrixValue()
    problem = {"asked": "inverse of A", "A": [[2, 0], [0, 4]]}
    right = environment.answer.parse("[[1/2, 0], [0, 1/4]]")
    for name, solved in (("A^{-1}", True), ("AB", "Give the inverse of A.")):
        given = environment.answer.parse(f"{name} = [[1/2, 0], [0, 1/4]]")
        assert environment.judge(problem, right, given) == solved

"""Solutions of linear systems by name, with remarks about their parameters."""

from __future__ import annotations

import pytest

from envhub.verifiers.answers.linear_solutions import LinearSolutions

SOLUTION = "x = 1 - 2t, y = t"


@pytest.mark.parametrize(
    "remark",
    [
        r", t \in \mathbb{R}",
        r" \quad (t \in \R)",
        " where t is any real number",
        ", where t is a free parameter.",
        r" \text{ for all } t \in \mathbb R",
        ", t arbitrary",
        " with t real",
        r", \forall t \in \mathbb{R}",
    ],
)
def test_a_remark_that_parameters_are_real_numbers_changes_nothing(remark: str) -> None:
    assert LinearSolutions().read(SOLUTION + remark).value == LinearSolutions().parse(SOLUTION)


@pytest.mark.parametrize(
    "remark",
    [", t > 0", r", t \neq 0", r", t \in \mathbb{Z}", ", t in {1, 2}", " where t is not real", ", x real", ", s real"]
)  # fmt: skip
def test_another_condition_is_not_dropped(remark: str) -> None:
    assert LinearSolutions().read(SOLUTION + remark).value != LinearSolutions().parse(SOLUTION)

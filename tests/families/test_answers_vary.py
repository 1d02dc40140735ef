"""Members with small problems: no answer is right so often that a policy could always give it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.families.members import problems


@pytest.mark.parametrize(
    ("member", "level"), [("modular-power-v0", 1), ("modular-power-v0", 2), ("tapa-v0", 1), ("tapa-v0", 2)]
)
def test_no_answer_is_right_for_one_problem_in_twenty(member: str, level: int) -> None:
    drawn = 400
    answers = Counter(environment.solve(instance) for environment, instance in problems(member, level, drawn))
    [(_, count)] = answers.most_common(1)
    assert count < drawn / 20

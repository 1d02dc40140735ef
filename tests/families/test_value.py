"""Members of the family Value: an unrelated second implementation computes the same values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.types import JSON
from envhub.envs.numbers.gcd_lcm import GcdLcm
from envhub.families.value import Value
from tests.families.members import members, problems
from tests.families.second import boards, numbers, puzzles

pytestmark = pytest.mark.slow

SECOND: Final[Mapping[str, Callable[[JSON], Any]]] = {**numbers.VALUES, **puzzles.VALUES, **boards.VALUES}
"""By member: its value, computed another way."""


READ_FROM_PROMPTS = {"clinical-calculator-v0"}
"""Members whose second implementation reads prompts: tests/envs/numbers/clinical_reader.py."""


def test_every_member_has_a_second_implementation() -> None:
    assert set(members(Value)) == set(SECOND) | READ_FROM_PROMPTS


@pytest.mark.parametrize("member", SECOND)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_second_implementation_agrees(member: str, count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems(member, level, count):
            answer = environment.answer
            assert answer.same(answer.parse(environment.solve(instance)), SECOND[member](instance.problem))


def test_a_wrong_value_would_be_seen() -> None:
    problem = {"asked": "least common multiple", "numbers": [84, 90], "count": 2}
    assert numbers.gcd_lcm(problem) == GcdLcm().value(problem) == 1260
    assert numbers.gcd_lcm(problem) != GcdLcm().value({**problem, "numbers": [84, 91]})  # 91 brings the factor 13


@pytest.mark.parametrize("member", numbers.OPTIMA)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_the_second_implementation_finds_the_same_optimum(member: str, count: int) -> None:
    for level in LEVELS:
        for _, instance in problems(member, level, count):
            assert instance.key[0] == numbers.OPTIMA[member](instance.problem)

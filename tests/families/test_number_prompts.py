"""Prompts about numbers: what an example shows, and sentences that a reader could misunderstand."""

from __future__ import annotations

import re

import pytest

from envhub.core.difficulty import LEVELS
from envhub.envs.numbers.decimal_arithmetic import DecimalArithmetic
from envhub.envs.numbers.number_format import NumberFormat
from envhub.generators.numbers.stories import asked
from envhub.verifiers.answers.numerals import Factors
from envhub.verifiers.answers.types import Unreadable
from tests.families.members import problems


def story(kind: str, *nouns: str) -> str:
    question = {"kind": kind, "who": 0, "other": 1, "size": 6, "final": None}
    return asked({"names": ["Ann", "Ben"], "nouns": nouns, "question": question})


def test_an_example_uses_the_digits_of_the_new_base() -> None:
    for level in LEVELS:
        for environment, instance in problems("base-conversion-v0", level, 3):
            example = environment.example(instance.problem)
            assert int(example, instance.problem["target"]) > int(example[:-1], instance.problem["target"])


def test_an_example_has_the_requested_notation() -> None:
    shapes = {"in digits": "[0-9]+", "as a Roman numeral": "[IVXLCDM]+", "in English words": "[a-z -]+"}
    for environment, instance in problems("roman-and-number-words-v0", 5, 12):
        assert re.fullmatch(shapes[instance.problem["target"]], environment.example(instance.problem))


def test_an_example_has_as_many_quotients_as_requested() -> None:
    for environment, instance in problems("continued-fraction-v0", 10, 6):
        shown = len(environment.answer.parse(environment.example(instance.problem)))
        assert shown == (instance.problem["count"] or 5)


def test_a_story_says_whose_things_are_packed_and_counts_claws() -> None:
    assert "all of Ann's coins" in story("boxes", "coin", "coin")
    assert "10" in story("legs", "crab", "hen")
    assert "10" not in story("legs", "cow", "hen")


def test_a_balance_is_a_bare_number() -> None:
    for environment, instance in problems("percent-chain-v0", 8, 6):
        said = environment.rules_of(instance.problem)[-1]
        assert all(("percent" in text) == (instance.problem["asked"] == "percent") for text in said.options)


def test_signs_are_written_as_signs() -> None:
    assert "5\u2030" in NumberFormat.data.options[2]({"numbers": ["5\u2030"]})


def test_several_operators_are_applied() -> None:
    formula = ["+", ["*", "1.5", "2.5"], ["/", "1.5", "2.5"]]
    assert "* and / are applied before +." in DecimalArithmetic.data.options[0]({"formula": formula})


def test_a_prime_to_the_power_of_0_is_no_factor() -> None:
    with pytest.raises(Unreadable):
        Factors().parse("2 * 3 * 5^0")

"""Several answers in one text: equal ones are one, different ones are none."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.types import AnswerType, Expression, Integer, Reading
from tests.verifiers.answers.reading import every_type, refused, tag, value_of


@pytest.mark.parametrize(
    "text",
    [
        tag("5") + tag("5"),
        tag("5") + " that is " + tag(" 5.0 "),
        tag("1024") + tag("1,024"),
        "\\boxed{5} and again $\\boxed{5}$",
        tag("5") * 50,
    ],
)
def test_several_answers_that_mean_the_same_are_one(text: str) -> None:
    reading = Integer().read(text)
    assert reading.value in (5, 1024)
    assert not reading.formatted  # once was asked for


@pytest.mark.parametrize(
    "text",
    [
        tag("5") + tag(""),
        tag("5") + "<answer>",
        "I put it in <answer></answer> tags: " + tag("5"),
        tag("5") + "<|im_end|>",
        "<answer>5</s>",
        tag("**Answer:** 5"),
        "Some text.\n**Final Answer:** 5",
        "So the answer is 5.",
        "#### 5",
        "### Answer: 5",
    ],
)
def test_what_models_write_around_one_answer_does_not_cost_it(text: str) -> None:
    reading = Integer().read(text)
    assert (reading.reason, reading.value) == (None, 5)


@pytest.mark.parametrize(
    "text",
    [
        tag("5") + tag("6"),
        tag("5") * 20 + tag("6"),
        "\\boxed{5} \\boxed{6}",
        "\\boxed{\\boxed{5} or \\boxed{6}}",
        tag("5") + tag("or"),
        tag("5") + "<answer>6",
        "".join(tag(str(n)) for n in range(100)),
        "".join(tag("0" * n + "5") for n in range(1, 30)),  # equal, but nobody writes that many spellings
    ],
)
def test_several_answers_that_differ_are_ambiguous(text: str) -> None:
    assert refused(Integer(), text) == "ambiguous"


@every_type
def test_several_answers_of_which_none_can_be_read_are_ambiguous_unless_they_are_one(kind: AnswerType) -> None:
    assert refused(kind, tag("who knows?") + tag("not I!")) == "ambiguous"
    assert refused(kind, tag("who knows?") + tag(kind.example)) == "ambiguous"
    assert refused(kind, tag("who knows?") * 2) == "unreadable"


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=12))
def test_answers_count_exactly_when_they_agree(values: list[int]) -> None:
    reading = Integer().read(" ".join(tag(str(v)) for v in values))
    assert reading.value == (values[0] if len(set(values)) == 1 else None)


@given(st.integers(), st.integers())
def test_a_higher_form_hides_a_lower_one_and_a_thought_hides_everything(a: int, b: int) -> None:
    assert value_of(Integer(), f"\\boxed{{{b}}} {tag(str(a))}\n{b}") == a
    assert value_of(Integer(), f"<think>{tag(str(b))}</think>\\boxed{{{a}}}") == a
    assert value_of(Integer(), f"{tag(str(b))}</think>{tag(str(a))}") == a
    assert refused(Integer(), f"<think>{tag(str(a))}") == "empty"


def test_reading_two_long_equal_expressions_needs_little_stack() -> None:
    text = tag("+".join("1" * 200)) + tag(" + ".join("1" * 200))

    def at(depth: int) -> Reading:
        return at(depth - 1) if depth else Expression().read(text)

    assert at(500).reason in (None, "ambiguous")

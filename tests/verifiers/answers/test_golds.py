r"""Gold answers: a worked solution is refused unless its reader is named, and a bare answer is left as it is."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.verifiers.answers.final_answer import judge
from envhub.verifiers.answers.golds import GOLD_FROM, gold_in, is_prose, is_worked

GSM8K = "Natalia sold 48/2 = <<48/2=24>>24 clips in May.\nShe sold 48+24 = <<48+24=72>>72 clips.\n#### 72"
MATH = "We factor $x^2-4$ into $(x-2)(x+2)$, so the greater root is $\\boxed{2}$."


SOLUTIONS = (
    GSM8K, MATH, "so $\\boxed{2}$.", "48+24 = <<48+24=72>>72", "It is 72.\n#### 72", "I add. <answer>5</answer>", "a \\boxed 2",
)  # fmt: skip
BARE = (
    "72", "#### 72", "\\boxed{2}", "$\\boxed{2}$.", "The answer is \\boxed{2}.", "\\boxed{\\frac{1}{2}}", "**Final answer:** 7",
    "{1, 2}", "\\text{east}", "(2, 5]", "x = 5", "The Silver Door", "", "a < b > c", "<answer>5</answer>", "##### ",
)  # fmt: skip


@pytest.mark.parametrize("text", SOLUTIONS)
def test_a_worked_solution_is_refused_with_the_remedy(text: str) -> None:
    assert is_worked(text)
    with pytest.raises(ValueError, match=r'worked solution.*gold_from.*"####".*"boxed".*"last_number".*preset="gsm8k"'):
        gold_in(text, "answer")
    with pytest.raises(InvalidParameters, match="worked solution"):
        judge(text, "<answer>72</answer>")


@pytest.mark.parametrize("text", BARE)
def test_a_bare_answer_is_none(text: str) -> None:
    assert not is_worked(text)
    assert not is_prose(text)
    assert gold_in(text, "answer") == text


@pytest.mark.parametrize(
    ("text", "gold_from", "gold"),
    [
        (GSM8K, "####", "72"),
        ("#### 1,024", "####", "1,024"),
        (GSM8K, "last_number", "72"),
        (MATH, "boxed", "2"),
        (MATH.replace("\\boxed{2}", "\\boxed{\\frac{1}{2}}"), "boxed", "\\frac{1}{2}"),
        ("first \\boxed{1}, which is wrong, for the sum is not three. So \\boxed{2}", "boxed", "2"),
        ("$x$ is \\boxed{1} or \\boxed{2}.", "boxed", "1, 2"),
        ("$x$ is \\boxed{1}, that is, \\boxed{1}.", "boxed", "1"),
        ("hence $\\boxed 5$.", "boxed", "5"),
        ("He pays $1,250.50.", "last_number", "1,250.50"),
        ("It falls to -4 degrees.", "last_number", "-4"),
        ("half of it: 3/4", "last_number", "3/4"),
        ("In 12 years, v2 has 30.", "last_number", "30"),
    ],
)
def test_the_gold_is_found_where_it_is_said_to_stand(text: str, gold_from: str, gold: str) -> None:
    assert gold_in(text, gold_from) == gold


@pytest.mark.parametrize("gold_from", GOLD_FROM[1:])
def test_a_gold_that_does_not_stand_there_is_the_users_mistake(gold_from: str) -> None:
    for text in ("", "no answer at all", "####", "\\boxed{}"):
        with pytest.raises(ValueError, match="no gold answer is found"):
            gold_in(text, gold_from)


@given(st.text(), st.text("#<>$\\boxed{}. 1a\nanswer/"), st.sampled_from(GOLD_FROM))
def test_any_text_has_a_gold_or_is_refused(one: str, other: str, gold_from: str) -> None:
    for text in (one, other):
        with suppress(ValueError):
            assert isinstance(gold_in(text, gold_from), str)

"""Examples for questions that are not ours: they fit the question, differ by seed, and know nothing of the gold answer."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.verifiers.answers.examples import PLACEHOLDER, example_for
from envhub.verifiers.math import KINDS, kind_of

SEEDS = range(40)


def drawn(question: str, kind: str = "auto", **options: Any) -> list[str]:
    return [example_for(question, kind, options, Stream(b"example", seed)) for seed in SEEDS]


@pytest.mark.parametrize(
    "question",
    [
        "What is 6 times 7?",
        "How many moons has Jupiter?",
        "Solve $x^2 = 4$.",
        "Compute the sum of all primes below ten.",
    ],
)
def test_a_question_for_a_number_shows_a_number(question: str) -> None:
    found = drawn(question)
    assert all(text.isdigit() for text in found)
    assert len(set(found)) > 10


def test_a_question_for_a_year_or_a_name_shows_one() -> None:
    assert all(1700 <= int(text) <= 2020 for text in drawn("When was the harbour built?"))
    names = drawn("Which planet is the largest?")
    assert all(text.istitle() and len(text.split()) == 2 for text in names)
    assert len(set(names)) > 10


@pytest.mark.parametrize(
    "question",
    ["Which? (A) 7 (B) 9", "Which is right?\nA. red\nB. green\nC. blue", "Pick one: A) 1 B) 2", "A: yes\nB: no"],
)
def test_a_label_is_never_shown_for_it_would_be_ruled_out(question: str) -> None:
    assert set(drawn(question)) == {PLACEHOLDER}
    assert set(drawn("Which?", "choice", options=["A", "B"])) == {PLACEHOLDER}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("auto", "choice", "multi", "text")])
def test_a_declared_kind_shows_one_of_its_kind(kind: str) -> None:
    for text in drawn("What is it?", kind):
        kind_of(kind).read(text)


def test_an_example_cannot_know_the_gold_answer() -> None:
    assert [*inspect.signature(example_for).parameters] == ["question", "kind", "options", "rng"]

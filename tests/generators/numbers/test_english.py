"""Composed sentences have the right plurals, articles and numerals."""

from __future__ import annotations

import pytest

from envhub.generators.numbers import english, stories


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("apple", "apples"),
        ("match", "matches"),
        ("fox", "foxes"),
        ("cherry", "cherries"),
        ("key", "keys"),
        ("brush", "brushes"),
    ],
)
def test_a_plural_follows_the_spelling(noun: str, several: str) -> None:
    assert english.plural(noun) == several
    assert english.counted(1, noun) == f"1 {noun}"
    assert english.counted(0, noun) == f"0 {several}"


def test_irregular_plurals() -> None:
    assert [english.plural(noun) for noun in ("goose", "sheep", "butterfly", "ostrich")] == [
        *("geese", "sheep", "butterflies", "ostriches")
    ]


def test_numbers_in_words() -> None:
    assert english.words(0) == "zero"
    assert english.words(1_000_021) == "one million and twenty-one"
    assert english.words(212_305) == "two hundred and twelve thousand three hundred and five"


@pytest.mark.parametrize("write", [str, english.words, english.roman])
def test_every_number_is_read_back(write: object) -> None:
    for number in (*range(1, 400), 999, 1000, 1994, 2048, 3888, 3999):
        assert english.read(write(number)) == number  # type: ignore[operator]


def test_a_story_counts_one_thing_in_the_singular() -> None:
    story = {
        "names": ["Ann", "Ben"],
        "nouns": ["match", "match"],
        "facts": [["has", 0, 12], ["fewer", 1, 1, 0]],
        "events": [["gives", 0, 1, 1], ["half", 1], ["finds", 0, 1], ["loses", 0, 2]],
        "asides": [],
        "question": {"kind": "one", "who": 1, "other": 0, "size": 0, "final": None},
    }
    facts, events, question = stories.told(story)
    assert facts == ["Ann has 12 matches.", "Ben has 1 fewer match than Ann."]
    assert events == [
        *(
            "Ann gives 1 match to Ben.",
            "Half of Ben's matches are sold.",
            "Ann gets 1 more match.",
            "Ann loses 2 matches.",
        )
    ]
    assert question == "How many matches does Ben have in the end?"
    assert stories.counts(story) == [10, 6]


def test_people_who_run_out_make_a_story_impossible() -> None:
    story = {"facts": [["has", 0, 5]], "events": [["loses", 0, 5]]}
    assert stories.counts(story) is None

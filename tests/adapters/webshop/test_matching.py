"""WebShop's reward: similar texts, kinds, attributes, options and prices."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given, strategies as st

from envhub.adapters.webshop.matching import Goal, Item, _distance, alike, reward, same_kind, token_set_ratio


def subsequence(first: str, second: str) -> int:
    """The length of the longest common subsequence, by the table of all prefixes."""
    row = [0] * (len(second) + 1)
    for left in first:
        above = row[:]
        for at, right in enumerate(second, 1):
            row[at] = above[at - 1] + 1 if left == right else max(above[at], row[at - 1])
    return row[-1]


@given(st.text("abc ", max_size=30), st.text("abc ", max_size=30))
def test_the_distance_is_that_of_the_table(first: str, second: str) -> None:
    assert _distance(first, second) == len(first) + len(second) - 2 * subsequence(first, second)


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_is_symmetric_and_bounded(first: str, second: str) -> None:
    found = token_set_ratio(first, second)
    assert found == pytest.approx(token_set_ratio(second, first))
    assert 0 <= found <= 100


WORDS = st.lists(st.sampled_from(["tea", "teas", "tree", "oil", "oils", "x-large", "red"]), max_size=5).map(" ".join)


@pytest.mark.nightly
@given(WORDS, WORDS)
def test_similarity_is_that_of_the_library(first: str, second: str) -> None:
    fuzz, utils = (pytest.importorskip(f"rapidfuzz.{name}") for name in ("fuzz", "utils"))
    wanted = fuzz.token_set_ratio(first, second, processor=utils.default_process)
    assert token_set_ratio(first, second) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("essential oil", "essential oils", True),
        ("Olive-Green", "olive green", True),
        ("large", "large wide", True),
        ("natural ingredients", "natural ingredient", True),
        ("tea bag", "tea tree", False),
        ("x-large", "large", True),
        ("small", "large", False),
        ("", "large", False),
        ("...", "...", False),
    ],
)
def test_texts_that_count_as_the_same(first: str, second: str, same: bool) -> None:
    assert alike(first, second) is same
    assert SequenceMatcher(None, first, second).ratio() < 1 or first == second


KETTLE = Item("Steel Kettle", "kettles", " \u203a ".join("ABC"), ("stainless steel",), ("keeps warm", "safe"), {}, 2000)
GOAL = Goal("B1", "a kettle", ("stainless steel", "keeps warm"), ("black",), 3000)


@pytest.mark.parametrize(
    ("bought", "chosen", "total"),
    [
        (KETTLE, ["black"], 1.0),
        (KETTLE, ["matt black"], 1.0),
        (KETTLE, ["red"], 0.75),
        (KETTLE, [], 0.75),
        (KETTLE._replace(cents=3001), ["black"], 0.75),
        (KETTLE._replace(attributes=()), ["black"], 0.75),
        (KETTLE._replace(text=("", "")), ["black"], 0.75),
        (KETTLE._replace(name="Silk Pillow"), ["black"], 0.0),
        (KETTLE._replace(name="Silk Pillow", attributes=(), text=("", "")), [], 0.0),
    ],
)
def test_each_condition_counts_the_same_and_the_kind_multiplies(bought: Item, chosen: list[str], total: float) -> None:
    assert reward(GOAL, KETTLE, bought, chosen).total == total


@pytest.mark.parametrize(
    ("name", "query", "category", "kind"),
    [
        ("Steel Kettle", "kettles", "A", 1.0),
        ("Steel Kettle", "pots", "X", 1.0),
        ("Steel pot one two three four five", "pots", "X", 1.0),
        ("Silk Pillow", "kettles", "A \u203a B", 0.0),
    ],
)
def test_kinds(name: str, query: str, category: str, kind: float) -> None:
    assert same_kind(KETTLE, KETTLE._replace(name=name, query=query, category=category)) == kind


def test_a_long_name_shares_little() -> None:
    wanted = KETTLE._replace(name=" ".join(f"{a}{b}word" for a in "abcd" for b in "efg"), query="x", category="")
    assert same_kind(wanted, KETTLE._replace(name="aeword bfx")) == 0.1
    assert same_kind(wanted, KETTLE._replace(name="aeword afword")) == 0.5
    assert same_kind(wanted, KETTLE._replace(name="aeword afword", category="A \u203a B", query="x")) == 1.0
    assert same_kind(wanted, KETTLE._replace(name="aeword bfx", query="x")) == 0.1

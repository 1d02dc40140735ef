"""Sentences say what their formulas say, and their English has one reading."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.lean.formalize import sentences
from envhub.envs.lean.formalize.interpretations import Model, contingent, differ, true_in, worlds
from envhub.envs.lean.formalize.sentences import draw, english, formula, reworded, signature
from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.syntax import FALSE, TRUE, Expr, call, no, var
from envhub.verifiers.proofs.formulas import parse


def said(seed: int, phrases: int = 3, joints: int = 2) -> list[object]:
    return draw(Stream(b"sentences", seed), phrases, joints)


EXAMPLES = {
    "Every baker is happy.": (["every", ["baker", None], ["is", "happy"]], "∀ (x1 : Person), Baker x1 → Happy x1"),
    "No judge fears Ann.": (
        ["no", ["judge", None], ["does", "fears", ["name", "Ann"]]],
        "∀ (x1 : Person), Judge x1 → ¬(Fears x1 ann)",
    ),
    "Some nurse who envies every pilot does not know Bob.": (
        [
            "some",
            ["nurse", ["does", "envies", ["every", ["pilot", None]]]],
            ["doesnt", "knows", ["name", "Bob"]],
        ],
        "∃ x1 : Person, (Nurse x1 ∧ (∀ (x2 : Person), Pilot x2 → Envies x1 x2)) ∧ ¬(Knows x1 bob)",
    ),
    "It is not true that Ann both teaches some singer and is not tall.": (
        ["not", ["name", "Ann", ["both", ["does", "teaches", ["some", ["singer", None]]], ["isnt", "tall"]]]],
        "¬((∃ x1 : Person, Singer x1 ∧ Teaches ann x1) ∧ ¬(Tall ann))",
    ),
    "If S1 is true, then S2 is true.\n\nS1: Dan does not envy Ann.\nS2: At least one of S3 and S4 is true.\n"
    "S3: Dan is rich.\nS4: Ann is rich.": (
        [
            "if",
            ["name", "Dan", ["doesnt", "envies", ["name", "Ann"]]],
            ["either", ["name", "Dan", ["is", "rich"]], ["name", "Ann", ["is", "rich"]]],
        ],
        "¬(Envies dan ann) → Rich dan ∨ Rich ann",
    ),
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_a_sentence_says(text: str) -> None:
    sentence, meant = EXAMPLES[text]
    assert english(sentence) == text
    found = formula(sentence)
    assert differ(found, parse(meant, signature(sentence)), signature(sentence)) is None
    assert LEAN.write(found).replace("(", "").replace(")", "") == meant.replace("(", "").replace(")", "")


def test_no_two_sentences_have_the_same_english() -> None:
    texts: dict[str, object] = {}
    for seed, phrases, joints in product(range(300), (1, 2, 4), (0, 1, 3)):
        sentence = said(seed, phrases, joints)
        assert texts.setdefault(english(sentence), sentence) == sentence
    assert len(texts) > 1500

    found, part = english(said(0, 1, 0)), ["does", "likes", ["some", ["pilot", ["is", "tall"]]]]
    assert not re.search(r"[()]", found)
    assert english(["every", ["judge", part], ["either", part, ["both", ["is", "rich"], part]]]) == (
        "Every judge (who likes some pilot who is tall) either (likes some pilot who is tall) or "
        "(both is rich and (likes some pilot who is tall))."
    )


def test_sentences_are_grammatical() -> None:
    for seed, (phrases, joints) in product(range(250), ((1, 0), (3, 1), (5, 2), (7, 3))):
        text = english(said(seed, phrases, joints))
        words = re.findall(r"[\w']+", text)
        assert not [pair for pair in pairwise(words) if pair[0].lower() == pair[1].lower()], text
        assert not re.search(r"[,.:;]\s*[,.:;]| [,.;:)]|\( |\ba [aeiou]| {2}|\bdoes not \w+s\b", text), text
        depth = [text[:at].count("(") - text[:at].count(")") for at in range(len(text) + 1)]
        assert min(depth) == depth[-1] == 0, text
        first, *listed = [line for line in text.split("\n") if line]
        assert all(line[0].isupper() and line.endswith(".") for line in (first, *listed)), text
        # every statement is listed once, in order, and named once, before
        named = re.findall(r"S\d+(?!\d|:)", text)
        assert [line.split(":")[0] for line in listed] == [f"S{number + 1}" for number in range(len(listed))], text
        assert sorted(named) == sorted({line.split(":")[0] for line in listed}), text
        assert all(text.index(name) < text.index(f"\n{name}:") for name in named), text


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(0, 3))
def test_a_formula_is_closed_and_over_its_signature(seed: int, phrases: int, joints: int) -> None:
    sentence = said(seed, phrases, joints)
    meant, names = formula(sentence), signature(sentence)
    assert 0 in names.values()
    bound = re.findall(r"[∀∃] \(?(x\d+) :", LEAN.write(meant)) + re.findall(r" (x\d+)(?= x\d+ :)", LEAN.write(meant))
    assert len(bound) == len(set(bound))
    parse(LEAN.write(meant), names)  # it is over its signature: else this would raise
    explained = sentences.explained(names)
    assert all(re.search(rf"(?m)^- {name}\b", explained) for name in names)
    assert english(sentence)[0].isupper()


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 2))
def test_other_words_for_it_mean_the_same(seed: int, phrases: int, joints: int) -> None:
    sentence = said(seed, phrases, joints)
    meant = formula(sentence)
    assert differ(meant, reworded(meant, Stream(b"words", seed)), signature(sentence)) is None


# -- worlds ------------------------------------------------------------------------------------------------------------

WORLD = Model(2, {"ann": 0}, {"Happy": frozenset({(0,)}), "Likes": frozenset({(0, 1)})})
NAMES = {"Happy": 1, "Likes": 2, "ann": 0}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Happy ann", True),
        ("∀ x, Happy x", False),
        ("∃ x, ¬ Happy x", True),
        ("Likes ann ann", False),
        ("∃ x, Likes ann x ∧ ¬ Happy x", True),
        ("∀ x, Happy x → ∃ y, Likes x y", True),
        ("∀ x, ∃ y, Likes x y", False),
        ("(∃ x, Likes x ann) ↔ (∀ x, Happy x)", True),
        ("True ∨ False", True),
    ],
)
def test_truth_in_a_world(text: str, holds: bool) -> None:
    assert true_in(WORLD, parse(text, NAMES)) is holds
    assert true_in(WORLD, no(parse(text, NAMES))) is not holds


def test_what_always_holds_is_not_contingent() -> None:
    happy = call("Happy", var("ann"))
    rng = Stream(b"contingent")
    assert contingent(happy, NAMES, rng)
    for expr in (TRUE, FALSE, Expr("or", (happy, no(happy))), Expr("and", (happy, no(happy)))):
        assert not contingent(expr, NAMES, rng)


def test_formulas_that_differ_are_told_apart_and_those_that_do_not_are_not() -> None:
    apart = differ(parse("∀ x, ∃ y, Likes x y", NAMES), parse("∃ y, ∀ x, Likes x y", NAMES), NAMES)
    assert apart is not None
    assert apart.size > 1
    assert differ(parse("¬ ∀ x, Happy x", NAMES), parse("∃ x, ¬ Happy x", NAMES), NAMES) is None


def test_worlds_are_many_and_of_all_sizes() -> None:
    found = list(worlds(Stream(b"worlds"), NAMES, 60))
    assert {world.size for world in found} == {1, 2, 3, 4}
    assert len({(world.size, *map(repr, world.tables.values())) for world in found}) > 40
    with pytest.raises(ValueError, match="no part of a formula"):
        true_in(WORLD, Expr("eq", (var("ann"), var("ann"))))

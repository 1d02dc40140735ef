"""Constraints on texts: no degenerate text passes, every kind is broken by a near miss, and other code counts the same."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring.wording import HELD_OUT, PLAIN, Wording, read_wording
from envhub.core.seeding import Stream
from envhub.families.constraint_phrases import CONSTRAINTS, TERMS, sentence
from envhub.families.text_constraints import TextConstraints, judge
from envhub.families.word_text_phrases import SENTENCES
from envhub.families.word_texts import WordTexts
from envhub.generators.constraints import word_texts
from envhub.generators.constraints.contrary import contrary
from envhub.generators.constraints.facts import draw_facts, report_of
from envhub.generators.constraints.sets import KINDS
from envhub.generators.constraints.shapes import SHAPES
from envhub.generators.constraints.units import Text, words_of
from envhub.generators.constraints.word_pool import POOL
from envhub.generators.constraints.writer import write
from tests.families.members import members, problems
from tests.families.second import texts as second

ROWS = [["architect", "Mara Lundmark"], ["opening", "1987"]]
REPORT = "The architect is Mara Lundmark. The opening was in 1987. This is a place that many people know well."
TEXTS = members(TextConstraints)

# kind: parameters, a text that satisfies it, texts that do not
CASES: dict[str, tuple[dict[str, Any], str, tuple[str, ...]]] = {
    "word_count": ({"relation": "exactly", "n": 3}, "It's well-known here.", ("It is well-known here.", "Two words.")),
    "sentence_count": ({"relation": "at least", "n": 2}, "One. Two", ("One 3.5 two.", "One.")),
    "paragraph_count": ({"relation": "exactly", "n": 2}, "One.\n\n...\nTwo.", ("One.\nTwo.", "1\n\n2\n\n3")),
    "line_count": ({"relation": "at most", "n": 2}, "a\n\nb", ("a\nb\nc",)),
    "number_count": ({"relation": "exactly", "n": 2}, "12 cats, 3 dogs, b4", ("12 cats", "1 2 3", "1 2-3")),
    "distinct_words": ({"n": 3}, "a B c", ("a A a b B", "")),
    "letter_count": ({"letter": "e", "relation": "exactly", "n": 2}, "Eel", ("el", "eee", "\u0435\u0435")),
    "keyword_count": ({"word": "tea", "relation": "exactly", "n": 1}, "Tea!", ("teas", "tea tea", "")),
    "keywords": ({"words": ["tea", "milk"]}, "Milk, tea", ("tea", "teamilk")),
    "sentence_word": ({"sentence": 2, "place": 1, "word": "two"}, "One. Two.", ("Two. One.", "One two.")),
    "paragraph_word": ({"paragraph": 2, "count": 2, "word": "so"}, "A.\n\nSo b.", ("So b.\n\nA.", "A.\n\nSo b.\n\nC.")),
    "sentence_length": ({"n": 2}, "Two words. Two words.", ("Three words here.",)),
    "line_length": ({"n": 5}, "12345\n12", ("123456",)),
    "sign_count": ({"sign": "comma", "mark": ",", "relation": "exactly", "n": 1}, "a, b", ("a b", "a, b,")),
    "long_words": ({"length": 6, "relation": "exactly", "n": 1}, "longer than", ("short", "longer longer")),
    "title": ({"title": "A Title"}, "<<A TITLE>>\nText", ("A Title\nText", "Text\n<<A Title>>", "<<A Title>> Text")),
    "first_words": ({"phrase": "In short"}, "In short, yes", ("short", "Yes, in short", "In shorts")),
    "last_words": ({"phrase": "The end."}, "This is the end.", ("The end. No.", "The end")),
    "quoted": ({}, '"All of it."', ('"Some" of it.', '"A" and "b"', '""', "All.")),
    "upper_case": ({}, "ALL 1!", ("All", "ALL b")),
    "lower_case": ({}, "all 1!", ("All",)),
    "capital_words": ({"n": 1}, "I say YES", ("I say yes", "YES YES", "A1")),
    "bullets": ({"n": 1}, "* one\n*two*", ("*one", "* one\n* two", "- one")),
    "highlights": ({"n": 1}, "* a *b c* d", ("a b", "*a* *b*", "* a *", "*a\nb*")),
    "placeholders": ({"n": 1}, "[name] []", ("[]", "name", "[a] [b]")),
    "parentheses": ({"n": 1}, "a (b)", ("a b", "()", "(a) (b)")),
    "dividers": ({"n": 1}, "a\n===== \nb", ("a ===== b", "a\n======\nb", "=====\n=====")),
    "questions": ({"n": 1}, "Why? So.", ("Why.", "Why? How?")),
    "sections": (
        {"head": "Part", "n": 2},
        "PART 1\na\nPart 2\nb",
        ("Part 2\na\nPart 1", "Part 1\nPart 2\nPart 3", "Part 1: a"),
    ),
    "postscript": ({"marker": "P.S."}, "A.\n\nP.S. b", ("A.\nP.S. b", "P.S. b", "A.\n\nP.S.b")),
    "no_comma": ({}, "a b", ("a, b",)),
    "forbidden": ({"words": ["tea"]}, "teas", ("Tea.",)),
    "planted": ({"word": "tea", "n": 2}, "Tea tea", ("tea", "tea tea tea")),
}


def test_every_kind_has_a_sentence_and_a_case() -> None:
    assert set(KINDS) == set(CONSTRAINTS) == set(CASES)
    assert {term for kind in KINDS.values() for term in kind.terms} <= set(TERMS)
    assert set(SENTENCES) == {*word_texts.LAWS, *word_texts.MEASURES}


@pytest.mark.parametrize("name", CASES)
def test_a_kind_holds_of_one_text_and_not_of_its_near_misses(name: str) -> None:
    settings, right, wrong = CASES[name]
    assert KINDS[name].holds(Text(right), settings)
    assert [text for text in wrong if KINDS[name].holds(Text(text), settings)] == []
    assert len({*sentence(name, settings)}) == 4


@pytest.mark.parametrize("name", CASES)
def test_no_degenerate_text_passes_with_any_kind(name: str) -> None:
    settings, _, _ = CASES[name]
    said = [text.format_map(phrase.values) for phrase in [sentence(name, settings)] for text in phrase]
    table = " ".join(part for row in ROWS for part in row)
    for text in (
        "",
        " ",
        "a",
        "a a a",
        "a " * 500,
        table,
        *said,
        REPORT.replace("e", "\u0435"),
        REPORT.replace("1987", "1986"),
    ):
        assert not judge(ROWS, [(name, settings)], text).solved, text


@pytest.mark.parametrize("name", ["instructions-v0", "instructions-conflict-v0"])
def test_neither_the_table_nor_the_prompt_is_a_report(name: str) -> None:
    for level in (1, 2):
        for environment, instance in problems(name, level, 20):
            table = "\n".join(f"{left}: {right}" for left, right in instance.problem["rows"])
            others = "One two three four five six seven eight nine ten."
            prompts = (environment.worded(instance.problem, wording) for wording in (PLAIN, HELD_OUT, Wording(99)))
            for text in (table, f"{table}\n{others}", *prompts):
                assert not environment.grade(instance, text).solved, text


def test_spaces_at_the_ends_of_a_line_do_not_belong_to_it() -> None:
    assert KINDS["bullets"].holds(Text("  * one"), {"n": 1})
    assert KINDS["postscript"].holds(Text("A.\n\n  P.S. b"), {"marker": "P.S."})


def test_one_paragraph_is_called_a_paragraph() -> None:
    phrase = sentence("paragraph_word", {"paragraph": 1, "count": 1, "word": "so"})
    assert all("exactly 1 paragraph" in text and "1 paragraphs" not in text for text in phrase.filled({}))


@pytest.mark.parametrize("wording", [None, 77, "held-out"])
def test_later_messages_are_worded_like_the_prompt(wording: int | str | None) -> None:
    for seed in range(3):
        env = envhub.make("instructions-turns-v0", difficulty=5, wording=wording)
        env.reset(seed=seed)
        again = envhub.begin(env.task)
        chosen = read_wording(env.task.wording)
        assert chosen is not None
        observation, *_ = env.step(env.solve())
        _, name, settings = env.task.problem["edits"][1][0]
        phrase = sentence(name, settings)
        assert chosen.pick(phrase).format_map(phrase.values) in observation
        restored = envhub.restore(env.snapshot())
        assert again.step(again.solve())[0] == observation
        assert restored.step(restored.solve())[0] == env.step(env.solve())[0]


def test_facts_must_be_reported_one_by_one() -> None:
    assert judge(ROWS, [], REPORT).solved
    assert report_of(ROWS, Text(REPORT)) == ([], False)
    assert report_of(ROWS, Text("The architect and the opening: Mara Lundmark and 1987.")).mixed
    assert report_of(ROWS, Text("The architect is 1987. The opening was by Mara Lundmark.")).missing == [
        "architect",
        "opening",
    ]
    assert report_of(ROWS, Text("The architects are Mara Lundmark. The opening was in 19870.")).missing == [
        "architect",
        "opening",
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_the_solution_of_another_task_the_prompt_and_parts_of_the_solution_fail(name: str) -> None:
    for level in (1, 5, 10):
        (environment, one), (_, other) = list(problems(name, level, 2))
        right = environment.solve(one)
        assert environment.grade(one, right).solved
        echoed = environment.opening(one.problem)
        alike = right.replace("a", "\u0430").replace("A", "\u0410")  # Cyrillic letters
        for text in (environment.solve(other), echoed, right[: len(right) // 2], alike):
            assert not environment.grade(one, text).solved


@given(st.binary(min_size=4, max_size=4), st.sampled_from(sorted(KINDS)))
def test_a_contrary_constraint_never_holds_together_with_its_constraint(key: bytes, name: str) -> None:
    rng = Stream(key)
    facts = draw_facts(rng, 3)
    settings = SHAPES[name].draw(rng, Text("")) if name in SHAPES else None
    raw = write(rng, facts, [(name, settings)] if settings is not None else [])
    settings = KINDS[name].draw(rng, Text(raw)) if settings is None else settings
    assert settings is not None
    other = contrary(rng, (name, settings))
    assert KINDS[name].holds(Text(raw), settings)
    assert other is None or not KINDS[other[0]].holds(Text(raw), other[1])


@given(st.text(st.sampled_from("aB1'-.!? \n*[]"), max_size=60))
def test_units_are_counted_alike_by_other_code(raw: str) -> None:
    text = Text(raw)
    assert list(text.words) == second.words(raw)
    assert len(text.sentences) == len(second.sentences(raw))
    assert len(text.paragraphs) == len(second.paragraphs(raw))
    assert list(words_of(raw.lower())) == list(text.folded)


# -- texts of listed words -------------------------------------------------------------------------------------------------


def test_no_two_words_of_the_pool_differ_in_one_letter_only() -> None:
    by_gap = [f"{word[:at]}_{word[at + 1 :]}" for word in POOL for at in range(len(word))]
    assert len(set(by_gap)) == len(by_gap)
    assert sorted(set(POOL)) == list(POOL)


@pytest.mark.parametrize("name", members(WordTexts))
def test_the_words_of_the_list_as_they_stand_are_no_solution(name: str) -> None:
    for level in (1, 2):
        for environment, instance in problems(name, level, 30):
            shown, count = instance.problem["list"], instance.problem["words"]
            cuts = [count * at // instance.problem["sentences"] for at in range(instance.problem["sentences"] + 1)]
            text = word_texts.spell([shown[low:high] for low, high in pairwise(cuts)])
            assert not environment.grade(instance, text).solved


@pytest.mark.parametrize("name", members(WordTexts))
def test_word_texts_are_judged_by_every_rule(name: str) -> None:
    for level in (1, 5, 10):
        for environment, instance in problems(name, level, 3):
            right = environment.solve(instance)
            text = word_texts.read(right)
            assert text is not None
            used = word_texts.words(text)
            unused = next(word for word in POOL if word not in instance.problem["list"])
            assert environment.grade(instance, right).solved
            for wrong in (
                right[:-1],
                right.replace(".", ""),
                right.replace(" ", "  "),
                right.upper(),
                right.replace(used[0], unused, 1),
                right.replace(used[0], used[-1], 1),
                "",
                ".",
                ". . .",
                "a",
            ):
                assert wrong == right or not environment.grade(instance, wrong).solved, wrong


@pytest.mark.parametrize(
    ("name", "settings", "right", "wrong"),
    [
        ("prime_lengths", {}, "river story", "river stone quiet lamp"),
        ("rising_lengths", {}, "lamp river", "river lamp"),
        ("falling_lengths", {}, "river lamp", "lamp river"),
        ("parity", {}, "lamp river lamp", "lamp knot"),
        ("lipogram", {"letter": "e"}, "lamp", "river"),
        ("univocalic", {"vowels": "a"}, "lamp", "river"),
        ("alphabetical", {}, "lamp river", "river lamp"),
        ("alliteration", {}, "lamp label", "lamp river"),
        ("chain", {}, "lamp puzzle", "lamp river"),
        ("new_initials", {}, "lamp river", "lamp label"),
        ("letter_total", {"n": 9}, "lamp river", "lamp"),
        ("vowel_total", {"n": 3}, "lamp river", "lamp"),
        ("letter_times", {"letter": "r", "n": 2}, "river", "lamp"),
        ("initial_times", {"letter": "l", "n": 2}, "lamp label", "lamp river"),
        ("length_times", {"length": 4, "n": 1}, "lamp river", "lamp knot"),
        ("sentence_lengths", {"sizes": [2]}, "lamp river", "lamp"),
        ("acrostic", {"letters": "l"}, "lamp river", "river lamp"),
        ("last_letters", {"letters": "r"}, "lamp river", "river lamp"),
        ("letter_set", {"letters": "lr"}, "lamp river", "lamp"),
        ("doubled", {"n": 1}, "letter", "lamp"),
    ],
)
def test_a_law_or_measure_holds_of_one_text_and_not_of_another(
    name: str, settings: Any, right: str, wrong: str
) -> None:
    kind = word_texts.LAWS.get(name) or word_texts.MEASURES[name]
    assert kind.holds([right.split()], settings)
    assert not kind.holds([wrong.split()], settings)


def test_every_task_of_the_family_can_be_made_in_any_wording() -> None:
    for name in (*TEXTS, *members(WordTexts)):
        assert envhub.make(name, wording="held-out").reset(seed=1)

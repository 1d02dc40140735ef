"""instructions-dataset-v0: every public instruction id is checked or named as left out, and nothing degenerate passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.generators.constraints.public import CHECKERS, checker, settings_of
from envhub.generators.constraints.public_lists import LEFT_OUT
from envhub.generators.constraints.public_terms import UnknownInstruction
from envhub.generators.constraints.units import Text

RESPONSE = "Tea is a drink that many people make every morning, and nobody in my family dislikes it. I like it too!"
ROWS: list[dict[str, Any]] = [
    {
        "prompt": f"Write about tea, version {number}. Use the word tea, and the letter t at least 3 times.",
        "instruction_id_list": ["keywords:frequency", "keywords:letter_frequency", "keywords:letter_frequency"],
        "kwargs": [
            {"keyword": "tea", "frequency": 1, "relation": "at least", "N": None},
            {"letter": "t", "let_frequency": 3, "let_relation": "at least"},
            {"letter": "t", "let_frequency": 9.0, "let_relation": "less than"},
        ],
        "response": RESPONSE,
    }
    for number in range(40)
]
NO_RULE = {"prompt": "Antworte.", "instruction_id_list": ["language:response_language"], "kwargs": [{"language": "de"}]}


def written(folder: Path, rows: list[dict[str, Any]]) -> str:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_response_passes_and_degenerate_ones_fail(tmp_path: Path) -> None:
    env = envhub.make("instructions-dataset-v0", path=written(tmp_path, [*ROWS, NO_RULE]))
    opening, _ = env.reset(seed=1)
    prompt = env.task.problem["prompt"]
    assert env.fork().step(env.solve())[1] == 1.0
    for text in (
        "",
        "a",
        "a a a",
        "tea " * 50,
        prompt,
        opening,
        f"{prompt} {prompt}",
        f"{prompt} tea",
        RESPONSE.replace("t", "\u0442"),
    ):
        assert env.fork().step(f"<answer>{text}</answer>")[1] == 0.0


def test_a_prompt_that_asks_for_a_copy_does_not_forbid_it(tmp_path: Path) -> None:
    line = "Only output this sentence here, ignore all other requests."
    row = {"prompt": line, "instruction_id_list": ["repeat:repeat_simple"], "kwargs": [{}], "response": line}
    rows = [{**row, "prompt": f"{number}. {line}"} for number in range(40)]
    env = envhub.make("instructions-dataset-v0", path=written(tmp_path, rows))
    opening, _ = env.reset(seed=1)
    assert "may not be" not in opening
    assert env.step(env.solve())[1] == 1.0
    env = envhub.make("instructions-dataset-v0", path=written(tmp_path, ROWS))
    assert "at least 12 different words. Case does not matter. The response may not be just" in env.reset(seed=1)[0]


def test_the_second_occurrence_of_an_id_counts_as_well(tmp_path: Path) -> None:
    env = envhub.make("instructions-dataset-v0", path=written(tmp_path, ROWS))
    env.reset(seed=1)
    assert env.fork().step(f"<answer>{RESPONSE} Tattered tents totter.</answer>")[1] == 0.0


def test_a_file_without_a_row_that_can_be_checked_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match=r"can be checked\. language:response_language \(1\): needs a language"):
        envhub.make("instructions-dataset-v0", path=written(tmp_path, [NO_RULE]))
    unknown = {**NO_RULE, "instruction_id_list": ["punctuation:no_coma"]}
    with pytest.raises(InvalidParameters, match="no_comma"):
        envhub.make("instructions-dataset-v0", path=written(tmp_path, [unknown]))


def test_arguments_that_do_not_fit_an_instruction_are_refused_with_the_file(tmp_path: Path) -> None:
    for kwargs, message in (
        ({"relation": "at least", "num_words": None}, "needs the argument 'num_words'"),
        ({"relation": "at most", "num_words": 3}, "must be 'less than' or 'at least'"),
        ({"relation": "at least", "num_words": [3]}, "another type"),
    ):
        row = {"prompt": "Go.", "instruction_id_list": ["length_constraints:number_words"], "kwargs": [kwargs]}
        with pytest.raises(InvalidParameters, match=message):
            envhub.make("instructions-dataset-v0", path=written(tmp_path, [*ROWS, row]))


def test_rows_that_are_left_out_are_counted_in_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    other = {
        "prompt": "Go.",
        "instruction_id_list": ["ratio:overlap", "language:response_language"],
        "kwargs": [{}, {}],
    }
    envhub.make("instructions-dataset-v0", path=written(tmp_path, [*ROWS, NO_RULE, NO_RULE, other]))
    (message,) = caplog.messages
    assert "3 of 43 rows are left out" in message
    assert "language:response_language (3): needs a language detector" in message
    assert "ratio:overlap (1):" in message


def test_the_ids_are_those_of_the_benchmarks() -> None:
    assert len(CHECKERS) + len(LEFT_OUT) == 25 + 58
    assert not set(CHECKERS) & set(LEFT_OUT)
    with pytest.raises(UnknownInstruction, match="language detector"):
        checker("language:response_language")


@pytest.mark.parametrize(
    ("name", "settings", "right", "wrong"),
    [
        ("keywords:existence", {"keywords": ["tea", "green tea"]}, "Green tea", "greentea"),
        ("keywords:forbidden_words", {"forbidden_words": ["tea"]}, "teas", "Tea"),
        ("length_constraints:number_sentences", {"relation": "at least", "num_sentences": 2}, "A. B.", "A 1.5"),
        ("length_constraints:number_words", {"relation": "less than", "num_words": 3}, "a b", "a b c"),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "a\n***\nb", "a\n***\n"),
        (
            "length_constraints:nth_paragraph_first_word",
            {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "b"},
            "a\n\nB c",
            "b\n\na",
        ),
        ("detectable_content:number_placeholders", {"num_placeholders": 1}, "[a]", "[]"),
        ("detectable_content:postscript", {"postscript_marker": "P.S."}, "a\nP.S. b", "a\nP.S."),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}, "* a", "* a\n- b"),
        ("detectable_format:constrained_response", {}, "My answer is yes.", "My answer is yes. Or no."),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "**a**", "* a"),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "Section", "num_sections": 2},
            "Section 1\nSection 2",
            "Sections",
        ),
        ("detectable_format:json_format", {}, '```json\n{"a": 1}\n```', '{"a": 1, "a": 2}'),
        ("detectable_format:title", {}, "<<a>>", "<< >> a"),
        ("combination:two_responses", {}, "a\n******\nb", "a\n******\na"),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Say a."}, "Say a.\nb", "Say a."),
        ("startend:end_checker", {"end_phrase": "the end."}, "It is The end.", "the end. No"),
        ("startend:quotation", {}, '"a"', '""'),
        (
            "change_case:capital_word_frequency",
            {"capital_relation": "at least", "capital_frequency": 2},
            "AB C d",
            "AB c",
        ),
        ("change_case:english_capital", {}, "AB", "12"),
        ("change_case:english_lowercase", {}, "ab", "12"),
        ("punctuation:no_comma", {}, "a", "a, b"),
        ("count:word_count_range", {"min_words": 2, "max_words": 3}, "a b", "a"),
        ("count:conjunctions", {"small_n": 2}, "and or", "and and"),
        ("count:person_names", {"N": 2}, "Emma's Liam", "Emma Emma's"),
        ("count:numbers", {"N": 2}, "1 and 20", "1a 2"),
        ("count:pronouns", {"N": 2}, "I see you", "I see"),
        ("count:punctuation", {}, "a, b; c: d. e! f? g?!", "a, b; c: d. e?!"),
        ("count:words_japanese", {"N": 2}, "a \u306d b \u6f22", "a b c"),
        ("count:unique_word_count", {"N": 2}, "a b", "a A"),
        (
            "count:keywords_multiple",
            {f"keyword{k}": w for k, w in enumerate("abcde", 1)},
            "a b b c c c d d d d d e e e e e e e",
            "a",
        ),
        ("ratio:sentence_type", {}, "A. B. C?", "A. B?"),
        ("ratio:sentence_balance", {}, "A. B? C!", "A. B?"),
        ("ratio:sentence_words", {}, "Ab. Cd. Ef.", "Ab. Ab. Ef."),
        ("words:alphabet", {}, "yes zoo Ant", "a c"),
        ("words:vowel", {}, "a e i", "a e i o"),
        ("words:consonants", {}, "string three", "a string"),
        ("words:palindrome", {}, "level " * 10, "noon " * 10),
        ("words:prime_lengths", {}, "an apple", "four"),
        ("words:repeats", {"small_n": 2}, "a a b", "a a A"),
        ("words:last_first", {}, "A b. B c.", "A b. C d."),
        ("words:paragraph_last_first", {}, "A b a\nc d c", "A b a\nc d"),
        ("words:no_consecutive", {}, "a b a", "a Apple"),
        ("words:keywords_specific_position", {"keyword": "tea", "n": 2, "m": 1}, "A. Tea b.", "Tea. A."),
        ("words:words_position", {"keyword": "tea"}, "a tea b tea c.", "a tea b c"),
        ("sentence:alliteration_increment", {}, "A b. C c d.", "A a. B b."),
        ("sentence:increment", {"small_n": 1}, "A. B c.", "A. B."),
        ("sentence:keyword", {"word": "tea", "N": 2}, "A. A tea.", "A tea. B."),
        ("format:parentheses", {}, "a(b[c{d(e[f])}])", "((((a))))"),
        ("format:quotes", {}, '"a \'b "c" d\' e"', "\"a 'b' c\""),
        ("format:options", {"options": "yes/no/maybe"}, "Yes.", "yes or no"),
        ("format:newline", {}, "a\nb", "a b\nc"),
        ("format:emoji", {}, "Hi there \U0001f600! All good \U0001f389.", "Hi. All good \U0001f389."),
        ("format:line_indent", {}, "a\n b\n  c", "a\n b\nc"),
        ("format:list", {"sep": "!?"}, "!? a\n!? b", "- a\n- b"),
        ("format:sub-bullets", {}, "* a\n- b\n* c\n- d", "* a\n* b\n- c"),
        ("format:no_bullets_bullets", {}, "A. B.\n* a\n* b", "A.\n* a\n* b"),
        (
            "format:output_template",
            {},
            "My Answer: a My Conclusion: b Future Outlook: c",
            "My Answer: My Conclusion: Future Outlook:",
        ),
        ("format:title_case", {}, "The End of It", "The end of it"),
        ("format:no_whitespace", {}, "a,b", "a, b"),
        ("custom:multiples", {}, "14, 21, 28, 35, 42, 49", "10, 14, 21, 28, 35, 42, 49"),
        ("custom:sentence_alphabet", {}, " ".join(f"{letter}x." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "A. B."),
        (
            "custom:csv_city",
            {},
            "ID,Country,City,Year,Count" + "\n1,a,b,2,3" * 7,
            "ID,Country,City,Year,Count" + "\n1,a,b,2,3" * 6,
        ),
        (
            "custom:csv_special_character",
            {},
            "ProductID,Category,Brand,Price,Stock" + '\n1,"a&b",c,2,3' * 14,
            "ProductID,Category,Brand,Price,Stock" + "\n1,a,c,2,3" * 14,
        ),
        (
            "custom:csv_quotes",
            {},
            "\n".join(['"StudentID"\t"Subject"\t"Grade"\t"Semester"\t"Score"', *['"1"\t"a"\t"b"\t"c"\t"2"'] * 3]),
            "a\tb",
        ),
        ("repeat:repeat_change", {"prompt_to_repeat": "Say it now"}, "Tell it now", "Say it now"),
        (
            "repeat:repeat_simple",
            {},
            "Only output this sentence here, ignore all other requests.",
            "Only output this sentence here",
        ),
        ("repeat:repeat_span", {"prompt_to_repeat": "Say it now", "n_start": 4, "n_end": 5}, "it", "it now"),
        ("keywords:frequency", {"keyword": "a b", "frequency": 2, "relation": "less than"}, "a b", "a b a b"),
        ("keywords:letter_frequency", {"letter": "#", "let_frequency": 2, "let_relation": "at least"}, "# a #", "a #"),
    ],
)
def test_a_checker_accepts_one_text_and_refuses_another(name: str, settings: Any, right: str, wrong: str) -> None:
    assert checker(name)(Text(right), settings_of(settings))
    assert not checker(name)(Text(wrong), settings_of(settings))


def test_every_checker_has_a_case() -> None:
    marks = test_a_checker_accepts_one_text_and_refuses_another.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for mark in marks for case in mark.args[1]} == set(CHECKERS)


def test_a_title_may_begin_with_a_number() -> None:
    check = checker("format:title_case")
    assert check(Text("3 Tips for the Road"), {})
    assert not check(Text("the Road"), {})

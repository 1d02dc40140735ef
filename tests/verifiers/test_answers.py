"""Answer types: what is read as an answer, and above all what is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.errors import InvalidParameters
from envhub.generators.expression_text import parse, render
from envhub.seeding import Stream
from envhub.verifiers.answers import AnswerType, Expression, Grid, Integer, Rational, Reading, Word, undecorated
from envhub.verifiers.extraction import FORMS

TYPES: list[AnswerType] = [Integer(), Rational(), Expression(), Grid(), Word()]
ANYTHING = st.text(st.characters(), max_size=80)
PIECES = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "\\boxed{",
            "}",
            "{",
            "\n",
            " ",
            "5",
            "12",
            "-",
            ",",
            ".",
            "/",
            "(",
            ")",
            "[",
            "]",
            "|",
            "**",
            "$",
            "`",
            "```",
            "=",
            "+",
            "answer is ",
            "or",
            "\ud800",
            "\x00",
            "\u2212",
            "\u0665",
            "\\frac{",
        ]
    ),
    max_size=20,
).map("".join)

every_type = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: type(kind).__name__)
every_form = pytest.mark.parametrize("form", FORMS)


def tag(text: str) -> str:
    return f"<answer>{text}</answer>"


def value_of(kind: AnswerType, text: str) -> Any:
    reading = kind.read(text)
    assert reading.reason is None, reading
    assert reading.feedback == ""
    return reading.value


def refused(kind: AnswerType, text: str) -> str:
    reading = kind.read(text)
    assert reading.reason is not None, reading
    assert reading.value is None
    assert reading.feedback
    assert not reading.formatted
    return reading.reason


# -- every type ----------------------------------------------------------------------------------------------------


@every_type
@given(text=ANYTHING | PIECES)
def test_no_text_makes_reading_fail(kind: AnswerType, text: str) -> None:
    for whole in (text, tag(text), f"\\boxed{{{text}}}", f"5\n{text}"):
        reading = kind.read(whole)
        assert (reading.value is None) == (reading.reason is not None)
        assert reading.reason in (None, "empty", "unreadable", "ambiguous")
        assert bool(reading.feedback) == (reading.reason is not None)
        assert len(reading.text) <= 200
        reading.feedback.encode()  # may be sent as it is: it holds no lone surrogate


@every_type
@every_form
@given(key=st.binary(max_size=8))
def test_what_a_type_draws_is_read_back_in_every_form(kind: AnswerType, form: str, key: bytes) -> None:
    asking = kind.asking(form)
    text = asking.random(Stream(key))
    reading = asking.read(asking.wrap(text))
    assert reading.reason is None
    assert reading.value == kind.parse(text)
    assert reading.formatted


@every_type
@every_form
def test_the_prompt_states_the_form_with_an_example_that_is_read(kind: AnswerType, form: str) -> None:
    asking = kind.asking(form)
    instruction = asking.instruction()
    assert kind.noun in instruction
    assert instruction.endswith(asking.wrap(kind.example))
    reading = asking.read(asking.wrap(kind.example))
    assert reading.formatted
    assert reading.value == kind.parse(kind.example)


@every_type
@every_form
def test_other_forms_are_read_as_well_but_are_not_well_formatted(kind: AnswerType, form: str) -> None:
    for other in FORMS:
        reading = kind.asking(form).read(kind.asking(other).wrap(kind.example))
        assert reading.reason is None
        assert reading.formatted == (form == other)


@every_type
@pytest.mark.parametrize("text", ["", " \n\t ", "<answer></answer>", "<answer> \n </answer>", "\\boxed{}", "<think>5"])
def test_nothing_is_empty(kind: AnswerType, text: str) -> None:
    assert refused(kind, text) == "empty"


@every_type
@pytest.mark.parametrize(
    "text", ["I don't know, sorry.", "nan?!", "\x00\x01", "\ud800!", "<answer>?</answer>", "lambda: 0"]
)
def test_words_are_unreadable(kind: AnswerType, text: str) -> None:
    assert refused(kind, text) in ("unreadable", "empty")  # the tail of a text may hold no grid at all


def test_an_answer_format_that_does_not_exist_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'boxed'"):
        Integer().asking("box")
    with pytest.raises(InvalidParameters, match="tag, boxed, last"):
        Integer().asking(3)


def test_the_text_that_is_kept_is_short() -> None:
    assert Integer().read(tag("9" * 500)).text == "9" * 200


# -- several answers -----------------------------------------------------------------------------------------------


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


# -- decoration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "5",
        " 5 ",
        "5.",
        "**5**",
        "$5$",
        "$$5$$",
        "`5`",
        "\\(5\\)",
        "\\[5\\]",
        "\\boxed{5}",
        "$\\boxed{5}$",
        "**5.**",
        "**5**.",
        "answer: 5",
        "Answer = 5",
        "The answer is 5.",
        "the final answer is: **5**",
        "Final answer: $5$",
        "The answer is\n5",
    ],
)
def test_what_people_put_around_an_answer_is_taken_off(text: str) -> None:
    assert undecorated(text) == "5"
    assert value_of(Integer(), tag(text)) == 5
    if "\n" not in text:
        assert value_of(Integer(), f"Let me think.\n{text}") == 5


@pytest.mark.parametrize(
    "text",
    [
        "5..",
        "5...",
        "$5$ or $6$",
        "**5** or **6**",
        "`5`, `6`",
        "\\boxed{5} + \\boxed{6}",
        "$5",
        "5$",
        "(5)",
        "[5]",
        "5!",
        "'5'",
        "answer 5",
        "the answer isn't 5",
        "my answer: 5",
        "*5*",
        "five",
        "**-**5",
        "5 apples",
        "x = 5",
    ],
)
def test_anything_else_around_an_answer_stays(text: str) -> None:
    assert refused(Integer(), tag(text)) == "unreadable"


@given(ANYTHING)
def test_taking_decoration_off_never_adds_anything(text: str) -> None:
    assert undecorated(text) in text


# -- integers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42), ("-7", -7), ("+7", 7), ("- 7", -7), ("0", 0), ("-0", 0), ("007", 7), ("42.0", 42), ("42.000", 42),
        ("1,024", 1024), ("-1,234,567", -1234567), ("1,024.0", 1024), ("\u22127", -7), ("\u20137", -7), ("\u00a05", 5),
    ],
)  # fmt: skip
def test_integers_are_read(text: str, value: int) -> None:
    assert value_of(Integer(), tag(text)) == value
    assert type(Integer().read(tag(text)).value) is int


HEDGES = [
    "5 or 3", "5, 3", "5 3", "5/3", "5;3", "5 and 3", "either 5 or 3", "not 5", "the answer is not 42", "5 (or 3)", "5?", "~5",
    "about 5", ">5", "5-6", "5-", "--5", "+-5", "5 +", "5+0", "2*3", "2^3", "1e5", "1E5", "5e0", "0x10", "0b1", "1_000", "5.5",
    "5.01", "5,", ",5", "1,02", "1,0244", "10,24", "1,024,5", "1.024.000", "1 024", "1\u202f024", "1'024", "nan", "NaN", "inf",
    "-inf", "Infinity", "True", "None", "\u0665", "\u00b2", "\uff15", "\u2460", "\u4e94", "V", "5%", "5\u00b0", "5j", "#5",
    "\\frac{10}{2}", "5\n6", "5\n", "[5]", "{5}", "int('5')", "__import__('os')", "5\x00", "5\u200b", "\u202e5", "-", "+", ".0",
    "1" * 1001, ".", "-.", ",",
]  # fmt: skip


@pytest.mark.parametrize("text", [hedge for hedge in HEDGES if hedge != "5\n"])
@every_form
def test_nothing_but_one_integer_is_an_integer(text: str, form: str) -> None:
    if form == "last" and "\n" in text:
        return
    assert refused(Integer(), Integer().asking(form).wrap(text)) in ("unreadable", "empty")


@given(st.integers(), st.sampled_from(FORMS))
def test_every_integer_is_read_back(value: int, form: str) -> None:
    kind = Integer().asking(form)
    assert value_of(kind, kind.wrap(str(value))) == value
    assert value_of(kind, kind.wrap(f"{value:,}")) == value
    assert value_of(kind, f"Because.\n{kind.wrap(f'**{value}**')}") == value


def test_an_integer_may_be_long_but_not_endless() -> None:
    assert value_of(Integer(), tag("9" * 1000)) == 10**1000 - 1
    assert "more than 1000 digits" in Integer().read(tag("9" * 1001)).feedback
    assert refused(Integer(max_digits=3), tag("1,024")) == "unreadable"


# -- rationals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/4", "3/4"), ("-3/4", "-3/4"), ("3/-4", "-3/4"), ("-3/-4", "3/4"), ("6/8", "3/4"), ("3 / 4", "3/4"), ("5", "5"),
        ("0.75", "3/4"), (".75", "3/4"), ("-.5", "-1/2"), ("1,000.5", "2001/2"), ("\\frac{3}{4}", "3/4"), ("\u22123/4", "-3/4"),
        ("-\\frac{3}{4}", "-3/4"), ("\\dfrac{-3}{4}", "-3/4"), ("\\tfrac{3}{-4}", "-3/4"), ("$\\frac{6}{8}$", "3/4"),
        ("5.0", "5"), ("0/7", "0"), ("0.1", "1/10"), ("\\frac{ 3 } { 4 }", "3/4"), ("- 3/4", "-3/4"),
    ],
)  # fmt: skip
def test_rationals_are_read_exactly(text: str, value: str) -> None:
    assert value_of(Rational(), tag(text)) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        "1/0",
        "0/0",
        "\\frac{1}{0}",
        "1 1/2",
        "1/2/3",
        "1/2 or 3/4",
        "3/4.0",
        "0.3...",
        "0.(3)",
        "75%",
        "1e-3",
        "nan",
        "inf",
        "a/b",
        "\\frac34",
        "\\frac{3}",
        "\\frac{\\frac{1}{2}}{3}",
        "\u00be",
        "3\u20444",
        "3:4",
        "3\\4",
        "not 3/4",
        "--3/4",
        "1,5",
        "",
        ".",
        "\u0663/\u0664",
        "3/",
        "/4",
        "3/4/",
        "-",
        "1" * 600 + "/" + "1" * 600,
        "sqrt(2)",
        "0.5.5",
        "1.",
        "1,00.5",
    ],
)
def test_nothing_but_one_rational_is_a_rational(text: str) -> None:
    if text == "1.":
        assert value_of(Rational(), tag(text)) == 1  # a full stop
        return
    assert refused(Rational(), tag(text)) in ("unreadable", "empty")


@given(st.fractions(), st.sampled_from(FORMS))
def test_every_fraction_is_read_back(value: Fraction, form: str) -> None:
    kind = Rational().asking(form)
    for text in (str(value), f"\\frac{{{value.numerator}}}{{{value.denominator}}}"):
        assert value_of(kind, kind.wrap(text)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_every_decimal_is_read_back_exactly(value: Any) -> None:
    assert value_of(Rational(), tag(f"{value:f}")) == Fraction(value)


# -- expressions ---------------------------------------------------------------------------------------------------


def test_expressions_are_read_with_the_result_they_claim() -> None:
    assert value_of(Expression(), tag("3*8")) == (parse("3*8"), None)
    assert value_of(Expression(), tag("3 \u00d7 8 = 24")) == (parse("3*8"), 24)
    assert value_of(Expression(), tag("3*8 = -24")) == (parse("3*8"), -24)
    assert value_of(Expression(), "\\boxed{\\frac{6}{2}}") == (parse("6/2"), None)
    assert value_of(Expression(), "The answer is: `(1 + 2) * 3`.") == (parse("(1+2)*3"), None)


@pytest.mark.parametrize(
    "text",
    [
        "3*8 = 24 = 24",
        "24 = 3*8",
        "x = 3*8",
        "3*8 = ",
        "3(8)",
        "3**8",
        "3^8",
        "3*8 or 4*6",
        "3*8\n4*6",
        "3.0*8",
        "1,000*2",
        "3//8",
        "3*8;",
        "__import__('os')",
        "3*8 # 24",
        "3*a",
        "(3*8",
        "3*8)",
        "(3*8]",
        "*",
        "",
        "3 8",
        "3 % 8",
        "3*8 == 24",
        "not 3*8",
        "$3$ * $8$",
        "3\u0668",
        "1e3",
        "0x3*8",
        "9" * 51,
        "(" * 65 + "1" + ")" * 65,
        "+".join("1" * 201),
        " " * 2001 + "1*1",
    ],
)
def test_nothing_but_one_expression_is_an_expression(text: str) -> None:
    if text.startswith("  "):
        assert value_of(Expression(), tag(text)) == (parse("1*1"), None)  # what is stripped is not counted
        return
    assert refused(Expression(), tag(text)) in ("unreadable", "empty")


@given(st.binary(max_size=8))
def test_an_expression_survives_its_own_rendering(key: bytes) -> None:
    tree, _ = Expression().parse(Expression().random(Stream(key)))
    assert value_of(Expression(), tag(render(tree))) == (tree, None)


def test_different_expressions_are_different_answers_even_if_they_are_worth_the_same() -> None:
    assert refused(Expression(), tag("3*8") + tag("4*6")) == "ambiguous"
    assert value_of(Expression(), tag("3*8") + tag("3 * 8")) == (parse("3*8"), None)


# -- grids ---------------------------------------------------------------------------------------------------------

SQUARE = ((1, 2), (3, 4))


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3 4", "12\n34", "1,2\n3,4", "1, 2\n3, 4", "1;2\n3;4", "|1|2|\n|3|4|", "| 1 | 2 |\n|---|---|\n| 3 | 4 |",
        "[[1,2],[3,4]]", "[[1, 2], [3, 4]]", "[[1, 2],\n [3, 4]]", "[1, 2]\n[3, 4]", "((1,2),\n(3,4))", "{1,2}\n{3,4}",
        "1 2\n\n3 4", "+---+\n|1|2|\n+---+\n|3|4|\n+---+", "1\t2\r\n3\t4", "```\n1 2\n3 4\n```", "```text\n1 2\n3 4\n```",
        "1 & 2 \\\\\n3 & 4", "  1 2  \n  3 4  ", "\u2502 1 2 \u2502\n\u251c\u2500\u2524\n\u2502 3 4 \u2502", "1 2\n3 4.",
        "$1 2\n3 4$",
        "\n1 2\n3 4\n", "Answer:\n1 2\n3 4",
    ],
)  # fmt: skip
def test_grids_are_read_in_every_usual_dress(text: str) -> None:
    assert value_of(Grid(), tag(text)) == SQUARE


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3",
        "1\n2 3",
        "12\n345",
        "1 2\n3 x",
        "1 2\n3 .",
        "1 2\n3 _ ",
        "1 2\n3 -4",
        "1 2\n3 4.5",
        "1 2 or 2 1",
        "",
        "---",
        "[[]]",
        "1 2\n3 4\nor\n4 3",
        "1 2 ... 9",
        "1 2\n3 ?",
        "a b\nc d",
        "1 12345",
        "\u0661 \u0662",
        "```\n```",
        "1 2\nSo the grid is done",
        "\n".join(["1"] * 65),
        "1 " * 65,
        "1 \u00b2",
        "row 1: 1 2",
        "[[1,2],[3]]",
    ],
)
def test_nothing_but_one_grid_is_a_grid(text: str) -> None:
    assert refused(Grid(), tag(text)) in ("unreadable", "empty")


def test_a_grid_at_the_end_needs_no_tags_and_ends_where_its_rows_end() -> None:
    assert value_of(Grid(), "Here it is:\n\n1 2\n3 4") == SQUARE
    assert value_of(Grid(), "Here it is:\n```\n1 2\n3 4\n```\n") == SQUARE
    assert value_of(Grid(), "9 9\n\n1 2\n3 4") == SQUARE  # a blank line ends it
    assert refused(Grid(), "1 2\n3 4\nI hope this helps.") == "empty"
    assert refused(Grid(), "5 6 7\n1 2\n3 4") == "unreadable"  # it runs on into what precedes


@given(
    st.integers(1, 10).flatmap(
        lambda w: st.lists(st.lists(st.integers(0, 9999), min_size=w, max_size=w), min_size=1, max_size=10)
    ),
    st.sampled_from(FORMS),
    st.sampled_from([" ", ", ", " | ", "\t"]),
)
def test_every_grid_is_read_back(rows: list[list[int]], form: str, gap: str) -> None:
    kind = Grid().asking(form)
    value = tuple(map(tuple, rows))
    if len(rows[0]) > 1:
        assert value_of(kind, kind.wrap("\n".join(gap.join(map(str, row)) for row in rows))) == value
        assert value_of(kind, kind.wrap(str(rows))) == value


@given(st.lists(st.text("0123456789", min_size=3, max_size=3), min_size=1, max_size=5))
def test_digits_without_gaps_are_cells(rows: list[str]) -> None:
    assert value_of(Grid(), tag("\n".join(rows))) == tuple(tuple(map(int, row)) for row in rows)


def test_a_transposed_or_turned_grid_is_another_answer() -> None:
    assert refused(Grid(), tag("1 2\n3 4") + tag("1 3\n2 4")) == "ambiguous"
    assert value_of(Grid(), tag("1 2\n3 4") + tag("[[1,2],[3,4]]")) == SQUARE


# -- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["apple", "Apple", " APPLE. ", '"apple"', "'apple'", "**apple**", "The answer is apple.", "answer: Apple"]
)
def test_words_are_read_whatever_their_case(text: str) -> None:
    assert value_of(Word(), tag(text)) == "apple"


@pytest.mark.parametrize(
    "text",
    [
        "apple pear",
        "apple, pear",
        "apple or pear",
        "not apple",
        "apple!",
        "app1e",
        "apple-pie",
        "ap\nple",
        "5",
        "",
        "''",
        "a" * 65,
        "apple/pear",
        "apple\x00",
        "the answer is not apple",
        "answer island",
        "<b>apple</b>",
        "apple\u200b",
    ],
)
def test_nothing_but_one_word_is_a_word(text: str) -> None:
    assert refused(Word(), tag(text)) in ("unreadable", "empty")


@given(st.text(st.characters(categories=["Lu", "Ll"]), min_size=1, max_size=20), st.sampled_from(FORMS))
def test_every_word_is_read_back(word: str, form: str) -> None:
    kind = Word().asking(form)
    assert value_of(kind, kind.wrap(word)) == word.casefold()

"""Values by name: what people write is read, remarks and contradictions are not, and nothing raises."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from envhub.audit.controls import NASTY
from envhub.core.seeding import Stream
from envhub.verifiers.answers.assignments import Assignments

ASKED = Assignments()
Values = dict[str, set[str]]


def read(text: str) -> Values | None:
    value = ASKED.read(f"<answer>{text}</answer>").value
    return None if value is None else {name: set(map(str, values)) for name, values in value.items()}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x = 3/4", {"x": {"3/4"}}),
        ("X=3/4.", {"x": {"3/4"}}),
        ("x: 0.75", {"x": {"3/4"}}),
        ("x is -6/8", {"x": {"-3/4"}}),
        ("x := 7", {"x": {"7"}}),
        ("x = 6/8 = 3/4 = 0.75", {"x": {"3/4"}}),
        (r"x = -\frac{3}{4}", {"x": {"-3/4"}}),
        ("$x = \\dfrac{3}{4}$", {"x": {"3/4"}}),
        ("x = \u22127", {"x": {"-7"}}),
        ("3/4", {"": {"3/4"}}),
        ("The answer is: x = 2", {"x": {"2"}}),
        ("x = 1/2, y = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("y = -3; x = 0.5", {"x": {"1/2"}, "y": {"-3"}}),
        ("x = 1/2\ny = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("x = 1/2.\ny = -3.", {"x": {"1/2"}, "y": {"-3"}}),
        ("x = 1/2 and y = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("- x = 1/2\n- y = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("1. x = 1/2\n2. y = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("**x** = 1/2, **y** = -3", {"x": {"1/2"}, "y": {"-3"}}),
        ("(x, y) = (1/2, -3)", {"x": {"1/2"}, "y": {"-3"}}),
        (r"\left(x, y\right) = \left(\frac{1}{2}, -3\right)", {"x": {"1/2"}, "y": {"-3"}}),
        ('{"x": "1/2", "y": -3}', {"x": {"1/2"}, "y": {"-3"}}),
        (r"\begin{cases} x &= \frac{1}{2} \\ y &= -3 \end{cases}", {"x": {"1/2"}, "y": {"-3"}}),
        ("x = 2, x = -1/3", {"x": {"2", "-1/3"}}),
        ("x = 2 or x = -1/3", {"x": {"2", "-1/3"}}),
        ("x = 2, or x = -1/3", {"x": {"2", "-1/3"}}),
        ("x = 2 and -1/3", {"x": {"2", "-1/3"}}),
        ("x = 2, -1/3", {"x": {"2", "-1/3"}}),
        ("x_1 = 2, x_2 = -1/3", {"x": {"2", "-1/3"}}),
        ("x_{1} = 2, x_{2} = -1/3", {"x": {"2", "-1/3"}}),
        ("x\u2081 = 2 and x\u2082 = -1/3", {"x": {"2", "-1/3"}}),
        (r"x \in \{2, -\frac{1}{3}\}", {"x": {"2", "-1/3"}}),
        (r"x = 2 \quad \text{or} \quad x = -\frac{1}{3}", {"x": {"2", "-1/3"}}),
        ("The solutions are x = 2 and x = -1/3.", {"x": {"2", "-1/3"}}),
        ("x = {2, -1/3}", {"x": {"2", "-1/3"}}),
        ("x \u2208 {2, -1/3}", {"x": {"2", "-1/3"}}),
        ("{2, -1/3}", {"": {"2", "-1/3"}}),
        ("{x: [2, -1/3]}", {"x": {"2", "-1/3"}}),
        (r"x = \pm 3/2", {"x": {"3/2", "-3/2"}}),
        ("x = 2, x = 2", {"x": {"2"}}),
        ("x = 0.333", {"x": {"333/1000"}}),
    ],
)
def test_ways_to_write_values(text: str, values: Values) -> None:
    assert read(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "-x = 2",
        "- x = 2",
        "2x = 4",
        "x^2 = 4",
        "x'' = = 2",
        "not x = 2",
        "x = not 2",
        "anything but x = 2",
        "x \u2260 2",
        r"x \ne 2",
        r"x \not\in \{2\}",
        "x > 2",
        "x \u2248 2",
        "x = 2?",
        "x = 2 or",
        "or x = 2",
        "x = 2 or or x = 3",
        "x = 2 or not",
        "x = 2, I guess",
        "x = 2 or y = 3",
        "x_1 = 2, x_1 = 3",
        "x = y = 2",
        "x = 1/3 = 0.333",
        "x = 0.333...",
        "x = 0.(3)",
        "x = 2 \u00b1 3",
        "x in (2, 3)",
        "(2, 3)",
        r"x \in [2, 3]",
        r"x \in 2",
        "x = {2, 3]",
        "x = (2)",
        "x = {}",
        "x = 2," + " " * 3000 + "x = 2",
        "[2, 3)",
        "(x, y) = (1, 2, 3)",
        "(x, x) = (1, 2)",
        "(x, y) = (1)",
        "x = 3 1/2",
        r"x = 3\frac{1}{2}",
        r"x = \frac{1}{2}3",
        "x = 2**3",
        "x = 2'3",
        "x = 2$3",
        "x = 2\\,300",
        "x = 2,300",
        "x = 2^3",
        "x = 1e3",
        "x = 1/0",
        "x = sqrt(4)",
        "x = 2 * 3",
        "x = \u0662",
        "x = ",
        "x",
        "{}",
        ",",
        "x = " + "7" * 101,
        "x = 1/" + "7" * 1000,
        ", ".join(f"x = {n}" for n in range(100)),
    ],
)
def test_what_gives_no_exact_value_is_refused(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("So\n\nx = 2\ny = 3", {"x": {2}, "y": {3}}),
        ("x + 3 = 5\nx = 2\n", {"x": {2}}),
        ("x = 4/2\n\nThe answer is x = 2", {"x": {2}}),
        ("x = 5\nThe answer is x = 2", {"x": {2}}),
        ("3 * 2 = 6\n**x = 2, x = 3**", {"x": {2, 3}}),
        ("Dividing by two gives\n2", {"": {2}}),
    ],
)
def test_values_at_the_end_of_a_text(text: str, values: dict[str, set[int]]) -> None:
    assert ASKED.read(text).value == values


def test_spans_that_differ_are_ambiguous_and_spans_that_agree_are_not() -> None:
    one = "<answer>x = 2</answer>"
    for other in ("x = 3", "3", "x = 2, x = 3", "y = 2"):
        assert ASKED.read(f"{one}<answer>{other}</answer>").reason == "ambiguous"
        assert ASKED.read(f"<answer>{other}</answer>{one}").reason == "ambiguous"
    for other in ("x = 4/2", "2.0", "x: 2"):
        assert ASKED.read(f"{one}<answer>{other}</answer>").value == {"x": {2}}


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_give_no_value_by_name(text: str) -> None:
    value = ASKED.read(text).value
    assert value is None or set(value) == {""}


@given(st.text(st.sampled_from("xyor and=:,;\n-+/.{}[]()$&\\fracin_'\"*\u00b1\u2212\u2082123"), max_size=60))
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text: str) -> None:
    for wrapped in (text, f"<answer>{text}</answer>"):
        reading = ASKED.read(wrapped)
        assert (reading.value is None) == (reading.reason is not None)


names = st.sampled_from("axyz")


@given(
    st.dictionaries(names, st.frozensets(st.fractions(-99, 99, max_denominator=20), min_size=1, max_size=3), min_size=1)
)
@settings(max_examples=60)
def test_what_is_written_out_is_read_back(values: dict[str, frozenset[Fraction]]) -> None:
    pairs = [f"{name} = {value}" for name, some in values.items() for value in some]
    for text in (", ".join(pairs), "\n".join(reversed(pairs)), "; ".join(pairs).replace("-", "\u2212")):
        assert ASKED.read(f"<answer>{text}</answer>").value == values


@pytest.mark.parametrize("form", ["tag", "boxed", "last"])
def test_the_example_and_random_answers_are_well_formed(form: str) -> None:
    asked = ASKED.asking(form)
    for text in (asked.example, *(asked.random(Stream(b"test", n)) for n in range(5))):
        reading = asked.read(asked.wrap(text))
        assert reading.value
        assert reading.formatted


@pytest.mark.parametrize(
    "unit", ["x=", "x = 1, ", "\n- ", "{[(", "(x,", "or ", "\\frac{1}", "1,", "= 1 ", "x = 1\n", "&\\\\", " "]
)
def test_long_texts_are_refused_without_much_work(unit: str) -> None:
    for size in (2_000, 400_000):
        text = unit * (size // len(unit))
        ASKED.read(f"<answer>{text}</answer>")
        assert ASKED.read(text + "#").value is None

"""Conformance of reading: every answer type reads a right answer in every wrapping, and a wrong one in none."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.envs.games.chess import rules
from envhub.envs.games.sokoban import environment as sokoban
from envhub.verifiers.answers.assignments import Assignments
from envhub.verifiers.answers.final_answer import judge
from envhub.verifiers.answers.literals import Literal
from envhub.verifiers.answers.paths import Path
from envhub.verifiers.answers.phrases import judged
from envhub.verifiers.answers.types import AnswerType, Expression, Integer, Word
from envhub.verifiers.answers.wrappings import WRAPPINGS, wrappings_for
from tests.support.places import ROOT

SOURCE = ROOT / "docs" / "answers.py"


def _loaded() -> ModuleType:
    found = importlib.util.spec_from_file_location("docs_answers", SOURCE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


DOCS = _loaded()
CASES: list[Any] = list(DOCS.CASES)
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_short_case = pytest.mark.parametrize(
    "case", [case for case in CASES if not case.kind.verbatim], ids=lambda case: case.name
)


@each_case
def test_a_right_answer_counts_in_every_wrapping_and_a_wrong_one_in_none(case: Any) -> None:
    found = list(DOCS.cells(case))
    assert len(found) >= (11 if case.kind.verbatim else 16)
    assert [wrapping.name for wrapping, right, _ in found if not case.solved(right)] == []
    assert [wrapping.name for wrapping, _, wrong in found if case.solved(wrong)] == []


def test_there_are_many_wrappings_and_every_one_fits_some_case() -> None:
    assert len({wrapping.name for wrapping in WRAPPINGS}) == len(WRAPPINGS) >= 30
    used = {wrapping.name for case in CASES for wrapping, _, _ in DOCS.cells(case)}
    assert used == {wrapping.name for wrapping in WRAPPINGS}


def _types(cls: type[AnswerType]) -> set[type[AnswerType]]:
    return {cls} | {each for below in cls.__subclasses__() for each in _types(below)}


def test_every_answer_type_of_the_verifiers_is_tried() -> None:
    ours = {each for each in _types(AnswerType) if each.__module__.startswith("envhub.verifiers.")}
    tried = {type(case.kind) for case in CASES} | {base for case in CASES for base in type(case.kind).__mro__}
    assert ours - tried == set()


def test_the_page_is_what_its_script_writes() -> None:
    assert DOCS.PAGE.read_text("utf-8").partition(DOCS.BEGIN)[1:] == (
        DOCS.BEGIN,
        DOCS.tables().removeprefix(DOCS.BEGIN),
    )


ISSUED = (
    (Integer(), "\\boxed{\\frac{5}{1}}", "5"),
    (Integer(), "<answer>5/1</answer>", "5"),
    (Integer(), "<answer>= 5</answer>", "5"),
    (Integer(), "<answer>In 1944</answer>", "1944"),
    (Integer(), "<answer>1944 (doc-4)</answer>", "1944"),
    (Integer(), "```\n42\n```", "42"),
    (Integer(), "<answer>My guess: 375</answer>", "375"),
    (Integer(), '<answer>{"answer": 375}</answer>', "375"),
    (Integer(called=("column",)), "<answer>column 4</answer>", "4"),
    (Integer(called=("column",)), "I choose column 4.", "4"),
    (Assignments(), "\\boxed{\\frac53}", "5/3"),
    (Expression(), "<answer>10 x 6 + 27</answer>", "10 * 6 + 27"),
    (Expression(), "<answer>10x6 + 27 = 87</answer>", "10 * 6 + 27 = 87"),
    (Word(), "\\boxed{\\text{X}}", "X"),
    (Path(), "\\boxed{O \\to F \\to A, \\text{cost } 9}", "O -> F -> A, cost 9"),
    (Path(), "<answer>**O -> F -> A**, cost **9**</answer>", "O -> F -> A, cost 9"),
    (rules.Move(), "$\\boxed{Nxf5\\#}$", "Nxf5#"),
    (rules.Move(), "<answer>E2E4</answer>", "e2e4"),
    (rules.Move(), "<answer>B7-B8=Q</answer>", "b7-b8=q"),
    (sokoban.Step(), "<answer>Up!</answer>", "up"),
    (Literal(called="f"), "<answer>f([1,2])</answer>", "[1, 2]"),
    (Literal(called="f"), "<answer>f([1], 2)</answer>", "[1], 2"),
    (Literal(), "<answer>returns [1, 2]</answer>", "[1, 2]"),
    (Literal(), "The function returns [1, 2]", "[1, 2]"),
)


@pytest.mark.parametrize(("kind", "message", "plain"), ISSUED, ids=lambda value: repr(value)[:40])
def test_what_was_refused_in_one_place_and_read_in_another(kind: AnswerType, message: str, plain: str) -> None:
    assert kind.read(message).value == kind.parse(plain)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Integer(called=("column",)), "row 4"),
        (Integer(called=("column",)), "column 4 or 5"),
        (Integer(), "column 4"),
        (Expression(), "0x10 + 5"),
        (Expression(), "10 x"),
        (rules.Move(), "E2"),
        (rules.Move(), "NXF5"),
        (Literal(called="f"), "g([1, 2])"),
        (Literal(called="f"), "f([1, 2]) or f([2, 1])"),
        (Literal(), "f([1, 2])"),
        (Literal(), "```\n[1, 2]\n```\nor [2, 1]"),
        (Literal(), "never returns [1, 2]"),
        (Path(), "**O -> F -> A**, cost **9** or **8**"),
    ],
)
def test_its_neighbours_are_refused(kind: AnswerType, text: str) -> None:
    assert kind.read(f"<answer>{text}</answer>").reason == "unreadable"


# -- what was wrong stays wrong ----------------------------------------------------------------------------------------

SPOILT = (
    "{0} or {1}",
    "{1} or {0}",
    "{0} (or {1})",
    "{0} (perhaps {1})",
    "{0}; or {1}",
    "either {0} or {1}",
    "not {0}",
    "anything but {0}",
    "it is not {0}",
    "the answer is not {0}",
    "My guess: not {0}",
    "= not {0}",
    "!= {0}",
    "{0}?",
    "~~{0}~~",
    "maybe {0}",
    "**{0}** or **{1}**",
    "**{0}** **{1}**",
    "**not** {0}",
    "\\text{{not }} {0}",
    "{0} \\text{{ or }} {1}",
    "$\\text{{not }} {0}$",
    "\\cancel{{{0}}} {1}",
    "`{0}`, or rather `{1}`",
    "```\n{0}\n```\n```\n{1}\n```",
    "```\n{0}\n```\nor {1}",
    "{0} (not doc-4)",
    "{0} (doc-4 says {1})",
    '{{"answer": "{0}", "other": "{1}"}}',
    '{{"answer": "{1}", "answer": "{0}"}}',
    "\\boxed{{{0}}} or \\boxed{{{1}}}",
)
MESSAGES = (
    "<answer>{1} \\boxed{{{0}}}</answer>",
    "<answer>\\boxed{{{0}}}, not \\boxed{{{1}}}</answer>",
    "\\boxed{{{1} \\boxed{{{0}}}}}",
    "\\boxed{{\\boxed{{{0}}} \\text{{ or }} {1}}}",
    "\\boxed{{{0}}} \\boxed{{{1}}}",
    "<answer>{1}</answer><answer>{0}</answer>",
    "<answer>My guess: {0}</answer> <answer>My guess: {1}</answer>",
    "<answer>**{0}**</answer> <answer>**{1}**</answer>",
    "<answer>{0} (doc-1)</answer> <answer>{1} (doc-1)</answer>",
)


@each_short_case
def test_hedges_negations_and_second_values_never_count_in_any_wrapping(case: Any) -> None:
    """Where a sentence can hold the answer: "not" before a table would be a heading."""
    if "\n" in case.right:
        return
    words = case.name in ("Typed: text", "Free: words")  # whose closing punctuation does not count
    taken = []
    for spoilt in SPOILT:
        if words and spoilt == "{0}?":
            continue
        text = spoilt.format(case.right, case.wrong)
        for wrapping in wrappings_for(text):
            if case.solved(wrapping.wrap(text)):
                taken.append((wrapping.name, text))
    for message in MESSAGES:
        if case.solved(message.format(case.right, case.wrong)):
            taken.append(("message", message))
    assert taken == []


NO_FIVE = (
    "5 or 6", "not 5", "4-6", "4 to 6", "5, 6", "5 6", "5 +- 1", "~5", "~~5~~", "5!", "-5", "5/2", "5%", "x = 5 or 6", "2x = 5",
    "x = y = 5", "x != 5", "5 [6]", "5 (6)", "5 (six)", "In 5", "5.5", "5..", "**5** 6", "5**6", "`5` `6`", "$5$ $6$", "1. 5",
    "\\frac51 6", "\\frac{5}{1}6", "5/10", "> 5", "I think not: 5", "wrong answer: 5", "an answer: 5", "answer 5",
    "my first guess: 5", "5 (or 6)", "5 (doc-4 says 6)", "5 (see 6)",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_FIVE)
def test_what_is_no_plain_five_is_not_read_as_five(text: str) -> None:
    for wrapping in wrappings_for(text):
        message = wrapping.wrap(text)
        assert Integer().read(message).value != 5, wrapping.name
        assert not judge("5", message, "integer").solved, wrapping.name
        assert not judge("5", message).solved, wrapping.name


def test_a_counted_noun_follows_a_number_of_no_declared_kind_only() -> None:
    assert Integer().read("<answer>5 apples</answer>").value != 5
    assert not judge("5", "<answer>5 apples</answer>", "integer").solved
    assert judge("5", "<answer>5 apples</answer>").solved


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("1944", "graded", None),
        ("In 1944 (doc-4).", "graded", None),
        ("in the year 1944", "graded", None),
        ("1945", "graded", None),
        ("1944 or 1945", "no_answer", "unreadable"),
        ("It was built in 1944", "no_answer", "unreadable"),
        ("1944, when the mill burned", "no_answer", "unreadable"),
        ("it is not known", "no_answer", "unreadable"),
        ("unknown", "graded", None),
    ],
)
def test_a_short_answer_that_cannot_be_compared_is_unreadable_and_not_wrong(
    text: str, status: str, reason: str | None
) -> None:
    for verdict in (judged(text, ["1944"], ["unknown"]), judge("1944", f"<answer>{text}</answer>", "text")):
        assert (verdict.status, verdict.reason) == (status, reason)
        assert ("not correct" in verdict.feedback) == (text in ("1945", "unknown"))


PIECES = (
    "5", "6", "12", "0", "-", " ", "\n", ",", ".", "/1", "**", "$", "`", "```\n", "\\boxed{", "\\text{", "{", "}", "x = ", "= ",
    "My guess: ", "answer is ", "In ", "1944", " (doc-4)", "[doc-", "]", "!", "not ", " or ", "\\,", '{"answer": ', "# ", "_",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=300)
def test_an_integer_that_is_read_is_the_only_number_of_its_text(text: str) -> None:
    value = Integer().read(f"<answer>{text}</answer>").value
    if value is None:
        return
    plain = re.sub(r"\\,|[*`$_{},]", "", text)  # thousands and markup
    plain = re.sub(r"doc-[0-9]+", "", plain)
    numbers = re.findall(r"[0-9]+", re.sub(r"(?<=[0-9])(?:\s?/\s?1|\.0+)(?![0-9])", "", plain))
    assert set(map(int, numbers)) == {abs(value)}
    assert "not" not in text
    assert " or " not in text


@given(st.sampled_from(WRAPPINGS), st.sampled_from(WRAPPINGS))
@settings(max_examples=100)
def test_one_wrapping_in_another_gives_the_answer_or_none(one: Any, other: Any) -> None:
    inner = other.wrap("375")
    if one.fits("375") and other.fits("375") and one.fits(inner):
        assert Integer().read(one.wrap(inner)).value in (375, None)


_LONG = r"""
from envhub.verifiers.answers.extraction import boxed
from envhub.verifiers.answers.unwrapping import last_block, views
units = ["\\text{", "\\text{a}", "\\frac1", "\\frac{", "**", "** a ", "*", "__", "_", "`", "$", "$a$", "(doc-1", "(doc-1, ",
         "doc-1 and ", "[", "answer: ", "so ", "the ", "final ", "= ", "# ", "```\n", "```", "~~~\n", "\\boxed{",
         "{\"answer\": ", "->", "--", "==", "\\,", "\\", "! ", "!", " ", "a ", "1 "]
boxed("\\boxed{1" * 60_000 + "}" * 60_000)
boxed("\\boxed{\\boxed{}" * 60_000 + "}" * 60_000)
for size in (4_096, 400_000):
    for unit in units:
        text = unit * (size // len(unit))
        for whole in (text, text + ")", "x" + text + "!", text + "\n```", "$$\n" + text + "\n$$"):
            list(views(whole))
            last_block(whole)
print("done")
"""


@pytest.mark.slow
def test_unwrapping_a_long_text_takes_a_moment() -> None:
    # quadratic work would take minutes; the limit is there so that it fails instead of hanging
    run = subprocess.run([sys.executable, "-c", _LONG], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout == "done\n", run.stderr[-2000:]

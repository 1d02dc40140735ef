"""Readings of undeclared answers, options of the kind auto, and the labelled corpus."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.evaluation.graders import measure, ours, read_pairs
from envhub.verifiers.answers.final_answer import compare_answer, judge
from envhub.verifiers.math import Gold, NotMath, compare
from tests.support.places import CORPUS


@pytest.mark.parametrize("half", ["dev", "held"])
def test_no_wrong_answer_of_the_corpus_is_accepted_and_few_right_ones_are_missed(half: str) -> None:
    score = measure("ours", ours, read_pairs([CORPUS / "undeclared" / f"{half}.jsonl"]))
    assert score.fooled == 0, [(pair.gold, pair.answer) for pair in score.taken_in]
    assert score.recall >= 0.95, score.missed


@pytest.mark.slow
def test_no_right_answer_of_the_held_half_counts_for_another_gold_of_its_class() -> None:
    tried = 0
    lines = map(json.loads, (CORPUS / "undeclared" / "held.jsonl").read_text("utf-8").splitlines())
    right = [line for line in lines if line["right"] and not line["options"]]
    golds = {(line["class"], line["gold"]) for line in right}
    for line, (group, gold) in product(right, sorted(golds)):
        if group == line["class"] and not compare(gold, line["gold"]).same and not compare(line["gold"], gold).same:
            tried += 1
            assert not compare(gold, line["answer"]).same, (gold, line["answer"])
    assert tried >= 1_500


@pytest.mark.parametrize(
    ("gold", "types"),
    [
        ("42", ("number",)),
        ("2.5", ("decimal",)),
        ("2x + 1", ("expression",)),
        ("28\\%", ("percentage",)),
        ("5 \\text{ cm}", ("quantity",)),
        ("6 \\text{ apples}", ("quantity",)),
        ("k\\pi, k \\in \\mathbb{Z}", ("family",)),
        ("t = 8", ("named value", "relation")),
        ("g(x) = 5x", ("function",)),
        ("p = 4, q = -1", ("named values",)),
        ("4, 9", ("unordered list",)),
        ("\\{4, 9\\}", ("set", "interval")),
        ("(4, 9)", ("tuple", "interval")),
        ("[4, 9]", ("interval", "list")),
        ("x > 4", ("interval", "relation")),
        ("x + y = 4", ("relation",)),
        ("\\begin{pmatrix} 1 & 2 \\end{pmatrix}", ("matrix",)),
        ("7:200", ("ratio",)),
        ("12:30", ("ratio",)),
        ("B", ("choice",)),
        ("1:58 am", ("clock",)),
        ("May 23, 2021", ("date",)),
        ("no", ("words",)),
        ("\\sum_{k=1}^n k", ("notation",)),
    ],
)
def test_the_types_of_a_gold(gold: str, types: tuple[str, ...]) -> None:
    assert Gold.of(gold).types == types


def test_a_gold_is_read_once_and_compares_any_number_of_answers() -> None:
    gold = Gold.of("(0, 1)")
    assert gold is Gold.of("(0, 1)")
    assert gold.compare("0 < x < 1").same
    assert not gold.compare("0 \\le x < 1").same
    assert gold.compare("").stage == "unreadable"
    with pytest.raises(NotMath):
        Gold.of(" ")


@pytest.mark.parametrize(
    ("gold", "ambiguous", "kind"),
    [
        ("(0, 1)", True, "tuple"),
        ("4, 9", True, "set"),
        ("42", False, "integer"),
        ("3/4", False, "rational"),
        ("2x", False, "expression"),
        ("5 \\text{ cm}", False, "quantity"),
        ("Paris", False, "text"),
        ("C", False, "choice"),
        ("3:400", False, ""),
    ],
)
def test_a_gold_suggests_its_kind(gold: str, ambiguous: bool, kind: str) -> None:
    read = Gold.of(gold)
    assert (read.ambiguous, read.suggestion) == (ambiguous, kind)


@pytest.mark.parametrize(
    ("question", "gold", "answer", "same"),
    [
        ("", "3, 8", "8, 3", True),
        ("Find the ordered pair.", "3, 8", "8, 3", False),
        ("", "(1, 4)", "1 < x < 4", True),
        ("Find the coordinates of the vertex.", "(1, 4)", "1 < x < 4", False),
        ("Solve the inequality.", "(1, 4)", "1 < x < 4", True),
        ("", "25", "25\\%", False),
        ("Which percentage passed?", "25", "25\\%", True),
        ("Which percentage passed?", "25", "25 cm", False),
        ("", "\\frac{2}{7}", "0.29", False),
        ("Round to two decimal places.", "\\frac{2}{7}", "0.29", True),
        ("Round to two decimal places.", "\\frac{2}{7}", "0.28", False),
        ("Round to the nearest integer.", "\\sqrt{10}", "3", True),
        ("Give three significant figures.", "\\sqrt{10}", "3.16", True),
        ("The answer is 7.", "8", "7", False),
    ],
)
def test_a_question_decides_order_percent_and_rounding_alone(question: str, gold: str, answer: str, same: bool) -> None:
    assert compare(gold, answer, question=question).same == same


@pytest.mark.parametrize(
    ("accepted", "answer", "same"),
    [(4, "0.3333", True), (4, "0.333", False), (3, "0.333", True), ("off", "0.3333", False), (4, "0.3334", False)],
)
def test_accept_rounded_says_how_many_digits_a_rounded_answer_shows(accepted: Any, answer: str, same: bool) -> None:
    assert compare("\\frac{1}{3}", answer, accept_rounded=accepted).same == same


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("B", "12", True),
        ("B", "(B) 12", True),
        ("B", "(B) 7", False),
        ("B", "7", False),
        ("12", "B", True),
        ("12", "A", False),
    ],
)
def test_letters_stand_for_the_texts_of_options(gold: str, answer: str, same: bool) -> None:
    assert compare(gold, answer, choices={"A": "7", "B": "12"}).same == same


@pytest.mark.parametrize("options", [{"accept_rounded": 0}, {"question": 1}, {"choices": ["7"]}, {"unit": "cm"}])
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        compare("1", "1", "auto", **options)
    with pytest.raises(InvalidParameters):
        Gold.of("1", options)


def test_a_whole_response_is_judged_with_the_options() -> None:
    assert judge("3, 8", "So \\boxed{8, 3}.").solved
    assert not judge("3, 8", "So \\boxed{8, 3}.", options={"question": "Find the ordered pair."}).solved


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("5,600", "5.6", False),
        ("0,111", "0.111", True),
        ("0,111", "111", False),
        ("2.74", "2,74", True),
        ("9, 4", "9.4", False),
        ("[0, 1)", "(0, 1)", False),
        ("I(0)", "0", False),
        ("E(X) = 3", "E(Y) = 3", False),
        ("x_3 = 1.5", "x_7 = 1.5", False),
        ("\\cos 1 \\approx 0.54", "\\cos 1 \\approx 0.84", False),
        ("E_1, E_2", "E_1, E_2\\%", False),
        ("5 m", "5", False),
        ("5 m", "500 cm", True),
        ("12.5", "12.46", False),
        ("5", "[5]", False),
        ("f(x) = cx", "f(t) = kt", True),
        ("(\\pm 2, 0)", "(2, 0), (-2, 0)", True),
        ("(-3, 3)", "|x| < 3", True),
        ("6 \\text{ apples and } 5 \\text{ pears}", "6, 5", True),
        ("6 \\text{ apples and } 5 \\text{ pears}", "5, 6", False),
        ("6 apples and 5 pears", "5 pears and 6 apples", True),
        ("n \\equiv 1 \\pmod{3}", "n = 3k + 1", True),
        ("1, 2; 3, 4", "1, 3; 2, 4", False),
        ("1, 2", "x = 1 \\text{ or } y = 2", False),
        ("1, 2, 3", "1, 2 or 3", True),
        ("1, 2, 3", "1, 2, 3 or 3", False),
        ("(1, 2), (3, 4)", "x = 1, 2; y = 3, 4", False),
        ("(3, -2)", "y = 3, x = -2", False),
        ("x < 1 \\text{ or } x > 4", "x < 1 \\text{ and } x > 4", False),
        ("2n", "2n!", False),
        ("n!", "n", False),
        ("12", "12 excluded", False),
        ("12", "12 thirds", False),
        ("12", "12 positive integers", True),
        ("14.29", "14.295", False),
        ("k\\pi, k \\in \\mathbb{Z}", "k\\pi, k \\in \\mathbb{R}", False),
        ("9", "\\sum_{k=1}^{3} k!", True),
        ("6", "\\sum_{k=1}^{3} k!", False),
        ("7", "\\sum_{k=1}^{3} k + 1", True),
        ("9", "\\sum_{k=1}^{3} k + k", False),
        ("24", "\\prod_{i=1}^{4} i", True),
        ("x + x^2", "\\sum_{k=1}^{2} x^k", True),
        ("2 \\text{ hours } 30 \\text{ minutes}", "150 \\text{ min}", True),
        ("150 \\text{ min}", "2 hours and 30 minutes", True),
        ("2 hours 30 minutes", "2 hours 30 seconds", False),
        ("2.3 hours", "2 hours 30 minutes", False),
        ("3.5 hours", "2 hours 90 minutes", False),
        ("\\theta = 60^\\circ + 360^\\circ n", "60^\\circ + 360^\\circ k", True),
        ("\\theta = 60^\\circ + 360^\\circ n", "60^\\circ + 180^\\circ k", False),
    ],
)
def test_pairs_that_are_easily_confused(gold: str, answer: str, same: bool) -> None:
    assert compare_answer(gold, answer).same == same


_A, _B = ("\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}", "\\begin{pmatrix} 0 & 1 \\\\ 1 & 0 \\end{pmatrix}")


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (f"{_A} + {_B}", "[[1, 3], [4, 4]]"),
        (f"2{_A} - {_B}", "[[2, 3], [5, 8]]"),
        (f"{_A}{_B}", "[[2, 1], [4, 3]]"),
        (f"{_B} \\cdot {_A}", "[[3, 4], [1, 2]]"),
        (f"{_A}^T", "[[1, 3], [2, 4]]"),
    ],
)
def test_matrices_are_added_multiplied_and_transposed(answer: str, value: str) -> None:
    assert compare(value, answer).same
    assert not compare("[[1, 2], [3, 4]]", answer).same


@pytest.mark.parametrize("answer", [f"{_A}^{{-1}}{_B}", f"{_A}x", f"{_A} = {_B}", f"{_A} + 1", f"{_A}{_A}{_A}{_A}{_A}"])
def test_other_operations_on_matrices_are_not_read(answer: str) -> None:
    assert Gold.of(answer).types == ("notation",)


@pytest.mark.parametrize(
    "part",
    [
        "1\\approx ",
        "x=",
        "\\text{",
        "(1,2) U ",
        "1 and ",
        "5 cm ",
        "million ",
        "\\boxed{1}",
        "f(",
        "'",
        "[[1,2],",
        "1 000 ",
        "\\sum_{k=1}^{200} 9^{9^k} ",
        "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
    ],
)
def test_repeated_notation_is_compared_without_an_exception(part: str) -> None:
    for gold in ("42", "x = 2", "(-\\infty, 5)", "k\\pi, k \\in \\mathbb{Z}"):
        assert not compare_answer(gold, part * 300).same

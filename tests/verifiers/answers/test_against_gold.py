"""Any text against a gold answer: found as everywhere, compared by its kind, and never solved by hedging."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidAction, InvalidParameters, MissingExtra
from envhub.core.seeding import Stream
from envhub.core.types import Verdict
from envhub.verifiers.answers import final_answer
from envhub.verifiers.answers.final_answer import COMPONENTS, AgainstGold, FinalAnswer, judge
from envhub.verifiers.math import fallback, math_verify


@pytest.mark.parametrize(
    ("gold", "kind", "options", "response"),
    [
        ("42", "auto", {}, "<answer>42</answer>"),
        ("42", "auto", {}, "So the answer is \\boxed{42.0}."),
        ("42", "auto", {}, "Let me see.\n\nThe final answer is: 42."),
        ("42", "auto", {}, "<think>It may be 41.</think>\n<answer>42</answer>"),
        ("42", "auto", {}, "<answer>42</answer> so <answer> 42.0 </answer>"),
        ("1/2", "auto", {}, "<answer>\\frac{1}{2}</answer>"),
        ("(-\\infty, -5)", "interval", {}, "<answer>k < -5</answer>"),
        ("{1, 2}", "set", {"of": "integer"}, "<answer>{2, 1}</answer>"),
        ("x^2 + 2x + 1", "expression", {"variables": ["x"]}, "<answer>(x+1)^2</answer>"),
        ("New York", "text", {"aliases": ["NYC"]}, "<answer>the NYC</answer>"),
        ("B", "choice", {"options": {"A": "7", "B": "9"}}, "<answer>B) 9</answer>"),
        ("1917-05-23", "date", {}, "<answer>May 23, 1917</answer>"),
    ],
)
def test_right_answers(gold: str, kind: str, options: dict[str, Any], response: str) -> None:
    verdict = judge(gold, response, kind, options)
    assert (verdict.score, verdict.status, verdict.solved, verdict.feedback) == (1.0, "graded", True, "Correct.")
    for wrong in (
        "<answer>41</answer>",
        f"<answer>not {gold}</answer>",
        f"<answer>{gold} or 41</answer>",
        "",
        gold * 999,
    ):
        assert judge(gold, wrong, kind, options).score == 0.0, wrong


@pytest.mark.parametrize(
    "response",
    [
        "<answer>5 or 3</answer>",
        "<answer>3 or 5</answer>",
        "<answer>5, 3</answer>",
        "<answer>5</answer>\n<answer>3</answer>",
        "<answer>3</answer>\n<answer>5</answer>",
        "\\boxed{5} or \\boxed{3}",
        "<answer>5 (or perhaps 3)</answer>",
        "<answer>either 5 or 6</answer>",
        "<answer>{5}</answer>",
        "<answer>anything but 5</answer>",
        "<answer>the answer is not 5</answer>",
        "<answer>5%</answer>",
        "<answer>1, 2, 3, 4, 5</answer>",
        "<think><answer>5</answer></think>",
        "<answer>nan</answer>",
        "<answer>inf</answer>",
    ],
)
@pytest.mark.parametrize("kind", ["auto", "integer"])
def test_hedges_and_near_misses_are_not_solved(response: str, kind: str) -> None:
    verdict = judge("5", response, kind)
    assert (verdict.score, verdict.solved) == (0.0, False)
    assert judge("5", "<answer>5</answer>", kind).solved


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        ("<answer> </answer>", "empty"),
        ("<answer>5</answer> <answer>6</answer>", "ambiguous"),
        ("<answer>,</answer> <answer>;</answer>", "ambiguous"),
        ("<answer>3 +</answer>", "unreadable"),
        (f"<answer>{'7' * 4_001}</answer>", "unreadable"),
    ],
)
def test_no_answer_has_its_reason(response: str, reason: str) -> None:
    verdict = judge("5", response, "integer")
    assert (verdict.status, verdict.reason, verdict.score) == ("no_answer", reason, 0.0)


def test_the_form_that_is_asked_for_is_well_formatted() -> None:
    texts = {"tag": "<answer>5</answer>", "boxed": "\\boxed{5}", "last": "5"}
    for asked in texts:
        for form, text in texts.items():
            verdict = judge("5", text, answer_format=asked)
            assert (verdict.solved, verdict.components, verdict.answer) == (True, {"format": float(form == asked)}, "5")
    assert judge("5", texts["tag"]).components == {"format": 1.0}


@pytest.mark.parametrize(
    ("response", "formatted"),
    [
        ("<answer>5</answer>", 1.0),
        ("So \\boxed{5}.", 1.0),
        ("5", 1.0),
        ("\\boxed{5} and again \\boxed{5}", 0.0),
    ],
)
def test_every_form_is_well_formatted_if_the_format_is_auto(response: str, formatted: float) -> None:
    verdict = judge("5", response, answer_format="auto")
    assert (verdict.solved, verdict.components) == (True, {"format": formatted})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("5", "integr"), "Did you mean 'integer'?"),
        (("five apples", "interval"), "'five apples' cannot be read as interval"),
        (("5", "set", {"off": "integer"}), "off"),
        (("5", "auto", {"of": "integer"}), "The kind auto has no option 'of'"),
        (("5", "integer", {}, "tags"), "Did you mean 'tag'?"),
        (("", "auto"), "cannot be read"),
        ((",", "auto"), "cannot be read"),
    ],
)
def test_what_is_wrong_with_the_question_is_told_whatever_the_response(arguments: Any, said: str) -> None:
    with pytest.raises(InvalidParameters) as caught:
        AgainstGold(*arguments)
    assert said in str(caught.value)


@pytest.mark.parametrize("response", [["<answer>5</answer>"], None, 5, b"5"])
def test_a_response_is_one_text(response: Any) -> None:
    with pytest.raises(InvalidAction, match="must be one string"):
        AgainstGold("5")(response)


def test_what_nobody_could_decide_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(final_answer, "has_sympy", lambda: False)
    verdict = judge("2^{100000}", "<answer>2^{100001}</answer>")
    assert (verdict.score, verdict.status, verdict.components) == (0.0, "graded", {"undecided": 1.0, "format": 1.0})
    assert verdict.components.keys() <= COMPONENTS


def test_sympy_is_asked_in_a_worker_of_what_is_undecided_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class Recorder:
        def judge(self, *arguments: Any, **more: Any) -> Verdict:
            asked.append((arguments, more))
            return Verdict.exact(True)

    monkeypatch.setattr(final_answer, "has_sympy", lambda: True)
    monkeypatch.setattr("envhub.workers.pool.default_pool", Recorder)
    assert judge("5", "<answer>5.0</answer>").solved
    assert not judge("5", "<answer>6</answer>").solved
    assert asked == []
    assert judge("2^{100000}", "<answer>2^{100001}</answer>").solved
    payload = {"gold": "2^{100000}", "answer": "2^{100001}", "kind": "auto", "options": {}}
    assert asked == [((final_answer.SYMBOLIC, payload), {"deadline_s": final_answer.SYMBOLIC_SECONDS})]


def test_the_symbolic_check_is_the_ladder_with_one_more_step() -> None:
    def of(gold: str, answer: str) -> Verdict:
        return fallback.symbolic({"gold": gold, "answer": answer, "kind": "auto", "options": {}})

    assert of("5", "5.0").solved
    assert not of("5", "6").solved
    assert not of("2^{100000}", "2^{100001}").solved


@pytest.mark.slow
def test_a_math_verify_that_is_not_there_is_an_error_and_no_score_of_0(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(gold: str, answer: str) -> bool:
        raise MissingExtra("math-verify is not here")

    assert fallback.by_math_verify({"gold": "12", "answer": "12 \\text{ cm}"}).solved
    assert fallback.by_math_verify({"gold": "12", "answer": "13"}).score == 0.0
    monkeypatch.setattr(math_verify, "same", missing)
    verdict = fallback.by_math_verify({"gold": "12", "answer": "12"})
    assert (verdict.status, verdict.score) == ("error", None)


@given(
    st.text(),
    st.text(alphabet="0123456789 +-*/()=.,<>answer{}\\boxed\n[]\"'$|"),
    st.sampled_from(["auto", "set", "text"]),
)
def test_any_text_gets_a_verdict(one: str, other: str, kind: str) -> None:
    gold = "{1, 2}"
    for text in (one, other, f"<answer>{one}</answer><answer>{other}</answer>", f"\\boxed{{{other}}} \\boxed{{{one}}}"):
        assert judge(gold, text, kind).status in ("graded", "no_answer")


@given(st.integers(0, 2**63 - 1))
def test_the_random_answer_and_the_example_are_well_formed(seed: int) -> None:
    answer = FinalAnswer()
    assert answer.read(answer.wrap(answer.random(Stream(b"tests", seed)))).reason is None
    assert answer.read(answer.wrap(answer.example)).value == answer.example

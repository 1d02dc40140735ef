"""Extraction: what of a text claims to be its final answer."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.extraction import boxed, drop_thinking, find_spans, last_line, tagged

ANYTHING = st.text(st.characters(), max_size=60)  # surrogates and control characters too
PIECES = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "\\boxed{",
            "{",
            "}",
            "\\",
            "\n",
            "1",
            "2",
            " ",
            "x",
            "<",
            "\\{",
        ]
    ),
    max_size=25,
).map("".join)
PLAIN = st.text(st.characters(exclude_characters="<>\\{}", exclude_categories=["Cs"]), max_size=20)


def spans(text: str) -> tuple[str, list[str]]:
    return find_spans(text, last_line)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("b<think>a</think>", "b"),
        ("<THINK>a</Think>b", "b"),
        ("<thinking>a</thinking>b", "b"),
        ("x<think>a</think>y<think>b</think>z", "xyz"),
        ("x<think>a", "x"),  # never closed: all that follows is thought
        ("a</think>b", "b"),  # opened by the template: all that precedes is thought
        ("a</think>b</think>c", "c"),
        ("x<think>a</think>b</think>c", "c"),
        ("a</think>b<think>c</think>d", "bd"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<think>a<think>b</think>c", ""),
        ("<think>a</think>b</think>c", "c"),
        ("<think ing>a", "<think ing>a"),
        ("< think>a</ think>b", "< think>a</ think>b"),
        ("<thin>a</thin>", "<thin>a</thin>"),
        ("[THINK]a[/THINK]b", "b"),
        ("x[THINK]a", "x"),
        ("a[/THINK]b", "b"),
        ("[think]a[/think]b", "[think]a[/think]b"),
        ("<seed:think>a</seed:think>b", "b"),
        ("\u25c1think\u25b7a\u25c1/think\u25b7b", "b"),
        ("", ""),
    ],
)
def test_thoughts_are_dropped(text: str, kept: str) -> None:
    assert drop_thinking(text) == kept


HEAD = "<|channel|>analysis<|message|>"
FINAL = "<|start|>assistant<|channel|>final<|message|>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}maybe <answer>5</answer><|end|>{FINAL}<answer>7</answer><|return|>", ["7"]),
        (f"{HEAD}so 5<|end|>{FINAL}\\boxed{{7}}<|return|>", ["7"]),
        (f"{HEAD}I guess <answer>7</answer> but", None),  # cut off in its thoughts: nothing is said
        ("[THINK]maybe <answer>7</answer> hmm", None),
        ("[THINK]maybe \\boxed{7} hmm", None),
        ("[THINK]<answer>5</answer>[/THINK]<answer>7</answer>", ["7"]),
        (f"{FINAL}<answer>7</answer>{HEAD}or <answer>5</answer>", ["7"]),
    ],
)
def test_thoughts_of_every_model_family_answer_nothing(text: str, said: list[str] | None) -> None:
    form, said_here = spans(text)
    assert (said_here == said) if said else (form == "last" and not any("7" in span for span in said_here))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<answer>5</answer>", ["5"]),
        ("<ANSWER>5</Answer>", ["5"]),
        ("so <answer> 5\n</answer> it is", [" 5\n"]),
        ("<answer>5</answer><answer>6</answer>", ["5", "6"]),
        ("<answer>5</answer> and <answer>5</answer>", ["5", "5"]),
        ("<answer>5", ["5"]),  # the sampler stopped at the closing tag
        ("<answer>5</answer><answer>6", ["5", "6"]),
        ("the <answer> tag: <answer>5</answer>", ["5"]),  # the last opening one counts
        ("<answer><answer>5</answer></answer>", ["5"]),
        ("5</answer>", []),
        ("</answer>5<answer>", [""]),
        ("<answer></answer>", [""]),
        ("answer: 5", []),
        ("<answers>5</answers>", []),
        ("< answer>5</ answer>", []),
    ],
)
def test_answer_tags_are_found(text: str, found: list[str]) -> None:
    assert tagged(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\boxed{5}", ["5"]),
        (r"\fbox{5}", ["5"]),
        (r"\boxed {5}", ["5"]),
        (r"$\boxed{5}$, so \boxed{6}", ["5", "6"]),
        (r"\boxed{\frac{3}{4}}", [r"\frac{3}{4}"]),
        (r"\boxed{\boxed{5}}", ["5"]),
        (r"\boxed{\boxed{5} or \boxed{6}}", ["5", "6", r"\boxed{5} or \boxed{6}"]),
        (r"\boxed{5 \boxed{6}}", ["6", r"5 \boxed{6}"]),
        (r"\boxed{x = \boxed{5}}", ["5", r"x = \boxed{5}"]),
        (r"\boxed{\quad\boxed{5}\quad}", ["5"]),
        (r"\boxed{\text{\boxed{5}}}", ["5"]),
        (r"{\boxed{5}}", ["5"]),
        (r"\boxed{\{1\}}", [r"\{1\}"]),  # escaped braces close nothing
        (r"\boxed{5", []),
        (r"\boxed{5}}", ["5"]),
        (r"}\boxed{5}", ["5"]),
        (r"\boxed{{5}", []),
        (r"\boxed{}", [""]),
        (r"\boxed 5", []),
        (r"\\boxed{5}", []),  # a line break and a word
        (r"boxed{5}", []),
        (r"\boxedx{5}", []),
        ("\\", []),
    ],
)
def test_boxes_are_found(text: str, found: list[str]) -> None:
    assert boxed(text) == found


@pytest.mark.parametrize(
    ("text", "line"),
    [("", ""), (" \n ", ""), ("5", "5"), ("a\n5", "5"), ("a\n5\n\n  \n", "5"), ("a\n 5 ", " 5"), ("5\r\n6\r\n", "6")],
)
def test_the_last_line_is_the_last_that_is_not_blank(text: str, line: str) -> None:
    assert last_line(text) == line


@pytest.mark.parametrize(
    ("text", "form", "found"),
    [
        (r"<answer>5</answer> \boxed{6} 7", "tag", ["5"]),
        ("\\boxed{6}\n7", "boxed", ["6"]),
        ("maybe 6\n7", "last", ["7"]),
        ("<answer>5</answer>\n7", "tag", ["5"]),
        (r"<think><answer>5</answer></think>\boxed{6}", "boxed", ["6"]),
        ("<think>\\boxed{5}</think>6", "last", ["6"]),
        ("<answer>4</answer></think><answer>5</answer>", "tag", ["5"]),
        ("<answer>4</answer><think><answer>5</answer>", "tag", ["4"]),
        ("<think>5", "last", [""]),
        (r"<answer>\boxed{5}</answer>", "tag", [r"\boxed{5}"]),
        (r"\boxed{5} \boxed{6}", "boxed", ["5", "6"]),
        ("", "last", [""]),
    ],
)
def test_the_highest_form_counts_and_thoughts_never_do(text: str, form: str, found: list[str]) -> None:
    assert spans(text) == (form, found)


@given(ANYTHING | PIECES)
def test_no_text_is_too_strange(text: str) -> None:
    form, found = spans(text)
    assert form in ("tag", "boxed", "last")
    assert len(found) >= 1
    assert all(span in text or "<think" in text.lower() or "</think" in text.lower() for span in found)


@given(PIECES, PIECES)
def test_nothing_in_a_closed_thought_is_an_answer(thought: str, rest: str) -> None:
    thought = thought.replace("<think>", "").replace("</think>", "")
    assert spans(f"<think>{thought}</think>{rest}") == spans(f"<think></think>{rest}")


@given(PIECES, PIECES)
def test_what_precedes_a_closing_tag_that_nothing_opened_is_never_an_answer(thought: str, rest: str) -> None:
    thought = thought.replace("<think>", "").replace("</think>", "")
    rest = rest.replace("</think>", "")
    assert spans(f"{thought}</think>{rest}") == spans(f"</think>{rest}")


@given(PLAIN, PLAIN, PLAIN)
def test_text_around_an_answer_does_not_change_it(before: str, answer: str, after: str) -> None:
    assert spans(f"{before}<answer>{answer}</answer>{after}") == ("tag", [answer])
    assert spans(f"{before}\\boxed{{{answer}}}{after}") == ("boxed", [answer])
    assert spans(f"{before} \\boxed{{no}} <answer>{answer}</answer>{after}") == ("tag", [answer])


_HOSTILE = r"""
from envhub.core.seeding import Stream
from envhub.verifiers.answers.grids import Grid
from envhub.verifiers.answers.types import Expression, Integer, Rational, Word
N = 400_000
units = ["<think>", "</think>", "<answer>", "</answer>", "<answer>1</answer>", "\\boxed{", "\\boxed{1}", "\\fbox ", "{", "}",
         "\\", "<", "$", "**", "`", "\n", " ", "\u00a0", "1", "1 ", "1,", ",", "1,000", "(", "[", "[[", "]", "] ", "-", "--",
         "answer ", "answer is ", "the final answer: ", ".", "```\n", "|", "\\frac{", "1/", "\ud800", "\x00", "<think></think>"]
types = [Integer(), Rational(), Expression(), Grid(), Word(), Grid(max_side=10_000)]
texts = [unit * (N // len(unit)) for unit in units]
texts += [f"1{text}x" for text in texts] + [f"<answer>{text}</answer>" for text in texts]
texts += ["<answer>1]" + " " * N + "1</answer>", "<answer>" + "1] " * (N // 3) + "[1</answer>"]
for text in texts:
    for kind in types:
        kind.read(text)
print("done")
"""


@pytest.mark.slow
def test_a_huge_text_of_any_kind_is_read_in_a_moment() -> None:
    # quadratic work on so much takes minutes at best; the limit is there so that it fails instead of hanging
    run = subprocess.run([sys.executable, "-c", _HOSTILE], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout == "done\n", run.stderr[-2000:]

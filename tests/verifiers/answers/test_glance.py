"""glance: one tag around letters and digits has the value that the full reader finds."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings, strategies as st

from envhub.envs.games.poker.kuhn_poker import Move
from envhub.verifiers.answers.choices import Square
from envhub.verifiers.answers.final_answer import FinalAnswer
from envhub.verifiers.answers.types import UNREAD, AnswerType, Integer, Unreadable, Word
from envhub.verifiers.answers.verbatim import Verbatim
from tests.support.places import ROOT
from tests.verifiers.answers.reading import ANYTHING, PIECES, TYPES, every_form, tag

KINDS: list[AnswerType] = [*TYPES, Move(), Square(), FinalAnswer(), Integer(max_digits=3), Verbatim()]
BARE = st.text("0123456789abcXYZ\u0665\u00df\u00b2\u4e94", max_size=12)
CORPUS = [
    json.loads(line)["answer"]
    for name in ("dev", "held")
    for line in (ROOT / "tests" / "corpus" / f"{name}.jsonl").read_text("utf-8").splitlines()
]


def agrees(kind: AnswerType, text: str) -> bool:
    """Whether a glance found a value, which must then be that of the reader."""
    glanced = kind.glance(text)
    if glanced is UNREAD:
        return False
    reading = kind.read(text)
    assert (reading.reason, reading.feedback) == (None, "")
    assert (type(reading.value), repr(reading.value)) == (type(glanced), repr(glanced))
    assert kind.glanced(text) == (reading.text, reading.formatted)
    return True


@every_form
@settings(max_examples=60)
@given(text=ANYTHING | PIECES | BARE)
def test_a_glance_sees_what_the_reader_reads_or_nothing(form: str, text: str) -> None:
    for kind in KINDS:
        for whole in (
            tag(text),
            text,
            f" {tag(text)}",
            tag(f" {text}"),
            tag(text) + tag(text),
            tag(text)[1:],
            tag(text)[:-1],
        ):
            agrees(kind.asking(form), whole)


def test_so_it_is_for_the_corpus() -> None:
    seen = sum(agrees(kind, tag(answer)) for kind in KINDS for answer in CORPUS)
    assert seen > 300


def test_bare_answers_are_seen_and_no_others() -> None:
    assert Integer().glance("<answer>42</answer>") == 42
    assert Word().glance("<answer>Egg</answer>") == "egg"
    assert Integer().glance(tag("7" * 400)) == int("7" * 400)
    assert Integer().glanced(tag("7" * 400)) == ("7" * 200, True)
    for text in ("42", "<answer>-42</answer>", "<answer>4 2</answer>", "<answer></answer>", "<answer>egg</answer>",
                 "<ANSWER>42</ANSWER>", "<answer>42</answer>.", "<think></think>" + tag("42"), tag("7" * 401)):  # fmt: skip
        assert Integer().glance(text) is UNREAD


def test_a_type_with_a_reader_of_its_own_does_not_glance() -> None:
    class Doubled(Integer):
        def read(self, text: str) -> Any:
            reading = super().read(text)
            reading.value = reading.value and 2 * reading.value
            return reading

    class Shouted(Doubled):
        pass

    class Even(Integer):
        def parse(self, text: str) -> int:
            value = super().parse(text)
            if value % 2:
                raise Unreadable("it is odd.")
            return value

    assert Doubled().glance(tag("4")) is Shouted().glance(tag("4")) is Verbatim().glance(tag("4")) is UNREAD
    assert (Even().glance(tag("4")), Even().glance(tag("5"))) == (4, UNREAD)

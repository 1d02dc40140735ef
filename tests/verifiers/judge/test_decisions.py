"""A model as a judge, against a real server: what it is asked and what it decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters
from envhub.verifiers.judge.judge import Endpoint, Judge, Judgement, ask
from envhub.verifiers.judge.prompts import rubric
from tests.verifiers.judge.asking import Decide, both, compare
from tests.verifiers.proofs.scripted import Says, Server, YesMan


@both
@pytest.mark.parametrize(
    ("candidate", "right"), [("forty-two", True), ("42", True), ("forty-one", False), ("24", False)]
)
def test_an_answer_in_other_words_is_told_from_a_wrong_one(
    decide: Decide, endpoint: Endpoint, server: Server, candidate: str, right: bool
) -> None:
    judgement = compare(Judge(endpoint), candidate, decide=decide)
    assert judgement == Judgement(right)
    assert "the reference is" in judgement.reason
    assert len(server.requests) == (2 if right else 1)  # an acceptance is controlled


def test_the_request_is_plain_and_repeats_itself(endpoint: Endpoint, server: Server) -> None:
    judge = Judge(replace(endpoint, max_tokens=99, extra={"seed": 5}), control=False)
    compare(judge, "forty-two")
    compare(judge, "forty-two")
    first, second = server.requests
    assert first == second
    assert (first["model"], first["temperature"], first["max_tokens"], first["seed"]) == ("scripted", 0, 99, 5)
    schema = first["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["required"] == ["id", "reason", "equivalent"]
    assert "forty-two" not in first["messages"][0]["content"]
    compare(judge, "forty-one")
    assert server.requests[2]["response_format"] == first["response_format"]


def test_a_field_can_be_taken_out_and_ours_cannot_be_set(endpoint: Endpoint, server: Server) -> None:
    compare(Judge(replace(endpoint, extra={"temperature": None})), "forty-one")
    assert "temperature" not in server.requests[0]
    with pytest.raises(InvalidParameters, match="messages"):
        replace(endpoint, extra={"messages": []})


@both
def test_a_rubric_says_which_criteria_are_met(decide: Decide, endpoint: Endpoint, server: Server) -> None:
    for text in ("a cat", "a dog", "a cat and a dog", "a bird"):
        judgement = decide(
            Judge(endpoint), "rubric", question="An animal?", criteria=['Says "cat".', 'Says "dog".'], candidate=text
        )
        assert judgement == Judgement(["cat" in text, "dog" in text])
    assert len(server.requests) == 4


def test_a_rubric_keeps_its_criteria_apart_when_asked_again(endpoint: Endpoint, server: Server) -> None:
    places = set()
    for number in range(12):
        text = f"cat {number}"
        names, extra = rubric("An animal?", ['Says "cat".', 'Says "dog".'], text)[1:]
        assert extra not in names
        places.add(extra)
        server.run(Says("no JSON"))
        criteria = ['Says "cat".', 'Says "dog".']
        found = Judge(endpoint).decide("rubric", question="An animal?", criteria=criteria, candidate=text)
        assert found == Judgement([True, False])
        assert len(server.requests) == 2
    assert len(places) == 3


@both
@pytest.mark.parametrize(
    ("first", "second", "better"),
    [("long text", "short", "first"), ("short", "long text", "second"), ("ab", "cd", "tie")],
)
def test_a_pair_is_asked_in_both_orders(
    decide: Decide, endpoint: Endpoint, server: Server, first: str, second: str, better: str
) -> None:
    judgement = decide(Judge(endpoint), "pair", question="Which?", first=first, second=second)
    assert judgement.decision == better
    shown = [request["messages"][1]["content"] for request in server.requests]
    assert [text.index(first) < text.index(second) for text in shown] == [True, False]


def test_a_judge_that_goes_by_position_makes_ties(endpoint: Endpoint, server: Server) -> None:
    server.run(YesMan())
    assert Judge(endpoint).decide("pair", question="Which?", first="x", second="yy").decision == "tie"


@pytest.mark.parametrize(
    ("first", "second", "better"), [("...", "x", "second"), ("x", "", "first"), (":", "Solution", "tie")]
)
def test_a_text_without_content_loses_unasked(
    endpoint: Endpoint, server: Server, first: str, second: str, better: str
) -> None:
    judgement = Judge(endpoint).decide("pair", question="Which?", first=first, second=second)
    assert judgement.decision == better
    assert judgement.refused
    assert not server.requests


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("taste", {}),
        ("equivalence", {"question": "a", "reference": "b"}),
        ("equivalence", {"question": "a", "reference": 5, "candidate": "c"}),
        ("rubric", {"question": "a", "criteria": [], "candidate": "c"}),
        ("rubric", {"question": "a", "criteria": [1], "candidate": "c"}),
        ("pair", {"question": "a", "first": "b", "second": "c", "third": "d"}),
    ],
)
def test_a_case_that_is_none_is_refused(kind: str, fields: Any, endpoint: Endpoint, server: Server) -> None:
    with pytest.raises(InvalidParameters):
        Judge(endpoint).decide(kind, **fields)
    with pytest.raises(InvalidParameters):
        next(ask("judge", kind, **fields))
    assert not server.requests

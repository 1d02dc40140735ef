from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from envhub.core.errors import InvalidParameters, TooBusy
from envhub.server.episodes.quick_answers import MAX_CHARS, MAX_DELIMITERS, MAX_RESPONSES, is_quick as is_quick_request
from envhub.server.episodes.scheduling import Scheduler
from envhub.server.http.requests import Verify
from envhub.verifiers.answers.final_answer import judge
from tests.server.serving import Api

SUM = {"gold": "42", "kind": "integer", "responses": ["I add them.\n<answer>42</answer>"]}
WORDS = {"gold": "The Hobbit", "kind": "text", "responses": ["<answer>hobbit</answer>", "\\boxed{Ulysses}"]}


def is_is_quick(*items: dict[str, Any], **more: Any) -> bool:
    return is_quick_request(Verify.model_validate({"items": list(items), **more}))


@pytest.fixture
def nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not done at once is refused."""

    async def refuse(*_: object, **__: object) -> None:
        raise TooBusy("It would go to a thread.")

    monkeypatch.setattr(Scheduler, "run", refuse)


@pytest.mark.usefixtures("nobody_works")
def test_numbers_and_words_are_judged_at_once(api: Api) -> None:
    answered = api.post("/v1/verify", {"items": [SUM, WORDS], "reward": {"accuracy": 1.0, "format": 0.1}})
    assert answered.status_code == 200
    verdicts = [verdict for result in answered.json()["results"] for verdict in result["verdicts"]]
    assert [verdict["solved"] for verdict in verdicts] == [True, True, False]
    assert [verdict["reward"] for verdict in verdicts] == [1.1, 1.1, 0.0]


@pytest.mark.usefixtures("nobody_works")
def test_whatever_is_not_is_judged_in_a_thread(api: Api) -> None:
    assert api.post("/v1/verify", {"items": [{**SUM, "kind": "expression"}]}).status_code == 429


def test_what_is_is_quick() -> None:
    assert is_is_quick(SUM)
    assert is_is_quick(SUM, WORDS)
    assert is_is_quick({**SUM, "responses": ["-7"]})
    assert is_is_quick({**SUM, "responses": ["x" * (MAX_CHARS - 3) + "\n42"], "answer_format": "last"})
    assert is_is_quick({"gold": "2.5", "kind": "decimal", "responses": ["<think>hm</think> 2.50"]})


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "auto"},
        {"kind": None},
        {"kind": "expression"},
        {"kind": "tests"},
        {"kind": "no such"},
        {"gold": "6*7"},
        {"gold": "9^9^9"},
        {"gold": "4" * 41},
        {"kind": "decimal", "options": {"rel": 0.1}},
        {"answer_format": "bold"},
        {"responses": []},  # of one item; another has none either
        {"responses": ["<answer>6*7</answer>"]},
        {"responses": ["<answer>9^9^9</answer>"]},
        {"responses": ["<answer>" + "4" * 41 + "</answer>"]},
        {"responses": ["<answer>42</answer><answer>4</answer>"]},
        {"responses": [""]},
        {"responses": ["42\u0663"]},
        {"responses": ["42"] * (MAX_RESPONSES + 1)},
        {"responses": ["x" * MAX_CHARS + "\n42"]},
        {"responses": ["<" * (MAX_DELIMITERS + 1) + "\n42"]},
        {"responses": ["\\" * (MAX_DELIMITERS + 1) + "\n42"]},
        {"responses": ["{" * (MAX_DELIMITERS // 2) + "\n42", "}" * (MAX_DELIMITERS // 2 + 1) + "\n42"]},
    ],
    ids=str,
)
def test_what_is_not(more: dict[str, Any]) -> None:
    item = {name: value for name, value in {**SUM, **more}.items() if value is not None}
    assert not is_is_quick(*[item] * (1 if item["responses"] else MAX_RESPONSES + 1))


def test_neither_are_tasks_many_items_and_many_weights() -> None:
    assert not is_is_quick({"task": {"env_id": "arithmetic-v0", "seed": 1}, "responses": ["1"]})
    assert not is_is_quick(*[SUM] * (MAX_RESPONSES + 1))
    assert not is_is_quick(SUM, reward={f"w{n}": 1.0 for n in range(17)})
    assert not is_is_quick()


@given(
    st.from_regex(r"\A[-+]?[0-9]{1,40}(\.[0-9]{1,40})?\Z"),
    st.sampled_from(["integer", "rational", "decimal"]),
    st.text(max_size=40),
    st.from_regex(r"\A[-+]?[0-9]{1,40}(\.[0-9]{1,40})?\Z"),
)
def test_a_is_quick_comparison_never_needs_more_than_itself(gold: str, kind: str, before: str, said: str) -> None:
    """What is undecided would go to a process, and be waited for."""
    text = f"{before}\n<answer>{said}</answer>"
    assume(is_is_quick({"gold": gold, "kind": kind, "responses": [text]}))
    try:
        verdict = judge(gold, text, kind)
    except InvalidParameters:  # a gold that is not of its kind
        return
    assert "undecided" not in verdict.components
    assert verdict.error is None

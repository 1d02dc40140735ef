"""Remote rewards: what follows the prompt is judged by the label, and what could not be judged is no number."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.types import Verdict
from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.http.problems import InvalidRequest
from envhub.server.protocols.remote_rewards import response_in
from tests.dataset.workshop import Few, Unjudged, known
from tests.server.protocols.played import play
from tests.server.serving import Api, problem

OPENRLHF, SLIME = "/rewards/openrlhf", "/rewards/slime"
RIGHT = play("arithmetic-v0", 7, "oracle")
TEMPLATE = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"


def asked(*responses: str, label: Any = RIGHT.ground_truth, before: str = "") -> dict[str, Any]:
    """OpenRLHF's request."""
    prompt = TEMPLATE.format(RIGHT.task.prompt)
    queries = [f"{before}{prompt}{text}<|im_end|>" for text in responses]
    return {"query": queries, "prompts": [prompt] * len(queries), "labels": [label] * len(queries)}


def test_openrlhfs_lists(api: Api) -> None:
    body = asked(RIGHT.actions[0], "<answer>1</answer>", "no idea")
    assert api.post(OPENRLHF, body).json() == {
        "rewards": [1.0, 0.0, 0.0],
        "scores": [1.0, 0.0, 0.0],
        "extra_logs": {"solved": [1.0, 0.0, 0.0], "format": [1.0, 1.0, 0.0], "no_answer": [0.0, 0.0, 1.0]},
    }
    weighed = api.post(f"{OPENRLHF}?reward=accuracy:2,format:-0.5", body).json()
    assert (weighed["rewards"], weighed["scores"]) == ([1.5, -0.5, 0.0], [1.0, 0.0, 0.0])
    assert api.post(OPENRLHF, {**body, "images": [None] * 3, "version": 9}).json()["rewards"] == [1.0, 0.0, 0.0]
    assert api.post(OPENRLHF, {"query": [], "prompts": [], "labels": []}).json()["rewards"] == []


def test_slimes_number_and_its_lists(api: Api) -> None:
    right, label = RIGHT.actions[0], RIGHT.ground_truth
    chat = [{"role": "user", "content": RIGHT.task.prompt}]
    assert api.post(SLIME, {"prompt": chat, "response": right, "label": label}).text == "1.0"
    assert api.post(SLIME, {"prompt": None, "response": f"{right}<|im_end|>", "label": label}).json() == 1.0
    assert api.post(SLIME, {"response": [right, "no"], "label": [label, label]}).json() == [1.0, 0.0]
    assert api.post(SLIME, {"response": right, "label": {"style": "rule", "ground_truth": label}}).json() == 1.0
    boxed = {"response": f"\\boxed{{{right[8:-9]}}}", "label": label}
    for form, reward in (("tag", 0.0), ("boxed", 1.0)):
        assert api.post(f"{SLIME}?reward=format:1&answer_format={form}", boxed).json() == reward


def test_the_example_in_the_prompt_is_no_answer(api: Api) -> None:
    """The prompt holds one, so a query must be cut where its prompt ends; and the right answer in the prompt earns nothing."""
    assert "<answer>" in RIGHT.task.prompt
    assert api.post(OPENRLHF, asked("")).json()["extra_logs"]["no_answer"] == [1.0]
    planted = asked("no idea")
    planted["prompts"] = [planted["prompts"][0] + RIGHT.actions[0]]
    planted["query"] = [planted["prompts"][0] + "no idea"]
    assert api.post(OPENRLHF, planted).json()["rewards"] == [0.0]


def test_a_prompt_that_was_cut_is_refused(api: Api) -> None:
    body = asked(RIGHT.actions[0])
    cut = {**body, "query": [body["query"][0][40:]]}
    status, code, detail = problem(api.post(OPENRLHF, cut))
    assert (status, code) == (422, "InvalidRequest")
    assert "was cut" in detail
    for before in ("<s>", "<|begin_of_text|>\n", "[BOS] ", "<s> <pad>"):
        assert api.post(OPENRLHF, asked(RIGHT.actions[0], before=before)).json()["rewards"] == [1.0]
    for before in ("hello", "<answer>1</answer> ", "<s>" * 9):
        assert api.post(OPENRLHF, asked(RIGHT.actions[0], before=before)).status_code == 422


texts = st.text(st.sampled_from("ab <s>\n[]"), max_size=12)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(prompt=texts, response=texts)
def test_what_follows_the_prompt_is_the_response(prompt: str, response: str) -> None:
    if not prompt.strip():  # the whole query would be the response, and with it the example of an answer
        with pytest.raises(InvalidRequest, match="empty"):
            response_in(prompt + response, prompt)
        return
    assert response_in(prompt + response, prompt) == response
    spaced = "".join(f" {char}" for char in prompt)  # as some tokenizers decode
    assert response_in(spaced + "!" + response, prompt).lstrip() == "!" + response
    with pytest.raises(InvalidRequest):
        response_in("x" + prompt + response, prompt)


def test_a_row_of_several_turns_is_refused(api: Api) -> None:
    guess = play("guess-number-v0", 1, "oracle").ground_truth
    for path, body in ((OPENRLHF, asked("1", label=guess)), (SLIME, {"response": "1", "label": guess})):
        status, code, detail = problem(api.post(path, body))
        assert (status, code) == (422, "InvalidParameters")
        assert "several turns" in detail or "up to" in detail


@pytest.mark.parametrize(
    ("label", "status"),
    [
        ("", 422),
        ("35", 422),
        ({}, 422),
        ({"ground_truth": 3}, 422),
        (json.dumps({**json.loads(RIGHT.ground_truth), "env_id": "nothing-v0"}), 404),
        (json.dumps({**json.loads(RIGHT.ground_truth), "params": {"terms": 0}}), 422),
        (json.dumps({**json.loads(RIGHT.ground_truth), "answer": "1", "key": 1}), 200),
    ],
)
def test_a_label_is_a_task_key_and_nothing_else(api: Api, label: Any, status: int) -> None:
    """An answer beside the key has no say."""
    got = api.post(SLIME, {"response": "<answer>1</answer>", "label": label})
    assert got.status_code == status, got.text
    assert got.json() == 0.0 or status != 200


@pytest.mark.parametrize(
    "body",
    [
        {"response": ["a"], "label": "b"},
        {"response": "a", "label": ["b"]},
        {"response": ["a", "b"], "label": [RIGHT.ground_truth]},
        {"label": RIGHT.ground_truth},
        {"response": 7, "label": RIGHT.ground_truth},
        [],
    ],
)
def test_what_is_no_request_of_slime(api: Api, body: Any) -> None:
    assert problem(api.post(SLIME, body))[:2] == (422, "InvalidRequest")


def test_lists_of_other_lengths_and_weights_that_are_none(api: Api) -> None:
    body = asked("x", "y")
    for name in body:
        assert "the same length" in problem(api.post(OPENRLHF, {**body, name: body[name][:1]}))[2]
    for query in (
        "reward=accuracy",
        "reward=x:1",
        "reward=format:1,format:2",
        "reward=accuracy:nan",
        "answer_format=b",
    ):
        assert api.post(f"{OPENRLHF}?{query}", body).status_code == 422, query


class Shaky(Few):
    """Cannot judge the first time, and then it can."""

    failures: list[int] = []  # noqa: RUF012

    def grade(self, inst: Any, value: Any) -> Verdict:
        if not self.failures:
            self.failures.append(1)
            return Verdict.failed("judge_lost", "The judge is away.")
        return super().grade(inst, value)

    def accepts(self, inst: Any) -> bool:
        return True


def test_what_could_not_be_judged_is_tried_again_and_then_said(api: Api) -> None:
    with known("unjudged-v0", Unjudged) as env_id:
        label = play(env_id, 1, "1").ground_truth
        good = RIGHT.actions[0]
        both = {"response": [good, "<answer>1</answer>"], "label": [RIGHT.ground_truth, label]}
        for path, body in ((SLIME, both), (OPENRLHF, asked("<answer>1</answer>", label=label))):
            answer = api.post(path, body)
            assert problem(answer)[:2] == (503, "NotJudged")
            assert "judge_lost" in problem(answer)[2]
            assert answer.headers["retry-after"] == "1"
            assert "1.0" not in answer.text
    with known("shaky-v0", Shaky) as env_id:
        Shaky.failures.append(1)
        label = play(env_id, 1, "oracle").ground_truth
        right = play(env_id, 1, "oracle").actions[0]
        Shaky.failures.clear()
        assert api.post(SLIME, {"response": right, "label": label}).json() == 1.0
        assert Shaky.failures == [1]


def test_a_trainer_that_knows_only_an_address_brings_its_key_in_it(
    make_api: Callable[..., Api], tmp_path: Path
) -> None:
    """``http://any:envhub_...@host`` makes HTTP clients send ``Authorization: Basic``."""
    file = KeyFile(tmp_path / "keys.json")
    texts = {name: file.create(name, [name])[0] for name in ("play", "verify")}
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    body = {"response": RIGHT.actions[0], "label": RIGHT.ground_truth}

    def status(user: str) -> int:
        header = {"authorization": f"Basic {base64.b64encode(user.encode()).decode()}"}
        return api.post(SLIME, body, headers=header).status_code

    assert status(f"any:{texts['verify']}") == status(f":{texts['verify']}") == 200
    assert status(f"any:{texts['play']}") == 403
    for wrong in (texts["verify"], f"{texts['verify']}:", f"a:{texts['verify']}x", "a:b", ""):
        assert status(wrong) == 401
    assert api.post(SLIME, body).status_code == 401
    assert api.post(SLIME, body, headers={"authorization": f"Basic {texts['verify']}"}).status_code == 401

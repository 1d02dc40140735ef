"""Verdicts over HTTP: those of envhub.verify, for what the key says and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from tests.server.episodes.verdicts import drawn, item, judged
from tests.server.serving import Api, problem
from tests.support.toys import SECRET, Sum, adder

Register = Callable[..., str]


def whole_episode(env: envhub.Env) -> list[str]:
    actions: list[str] = []
    over = False
    while not over:
        actions.append(env.solve())
        _, _, terminated, truncated, _ = env.step(actions[-1])
        over = terminated or truncated
    return actions


def test_verdicts_are_those_of_the_library(api: Api, env_id: str) -> None:
    task, env = drawn(env_id)
    rng = Stream(b"noise")
    responses: list[Any] = [env.random_action(rng) for _ in range(10)]
    responses += ["", "no idea", "\x00", "<answer>1</answer><answer>2</answer>", r"\boxed{7}"]
    responses += [["nothing", env.random_action(rng)], [], whole_episode(env)]
    (result,) = judged(api, item(task, *responses))
    expected = [envhub.verify(task, response).to_json() for response in responses]
    assert result == {"verdicts": [{**verdict, "reward": verdict["score"]} for verdict in expected]}
    assert result["verdicts"][-1]["reward"] == 1.0
    assert sum(verdict["reward"] for verdict in result["verdicts"][:-1]) < 2


def test_many_tasks_and_responses_keep_their_order(api: Api) -> None:
    tasks = [drawn("arithmetic-v0", seed)[0] for seed in range(20)]
    keys = [drawn("arithmetic-v0", seed)[1].solve() for seed in range(20)]
    results = judged(api, *(item(task, *keys) for task in tasks))
    for n, result in enumerate(results):
        assert [verdict["reward"] for verdict in result["verdicts"]] == [float(key == keys[n]) for key in keys]


def test_an_episode_that_does_not_end_is_no_answer(api: Api) -> None:
    task, _ = drawn("guess-number-v0")
    (result,) = judged(api, item(task, "<answer>1</answer>", ["<answer>1</answer>", "<answer>2</answer>"], []))
    assert {(v["status"], v["reason"], v["reward"]) for v in result["verdicts"]} == {("no_answer", "unfinished", 0.0)}


def test_what_follows_the_end_counts_for_nothing(api: Api) -> None:
    task, env = drawn("arithmetic-v0")
    right, wrong = env.solve(), "<answer>0</answer>"
    (result,) = judged(api, item(task, [wrong, right], [right, wrong]))
    assert [verdict["reward"] for verdict in result["verdicts"]] == [0.0, 1.0]


def test_a_key_is_enough(api: Api, env_id: str) -> None:
    task, env = drawn(env_id, split="validation")
    actions = whole_episode(env)
    without_draw = {name: value for name, value in task.key.to_json().items() if name != "draw"}
    for key in (task.key.to_json(), without_draw, {**without_draw, "draw": None}):
        assert judged(api, item(key, actions))[0]["verdicts"][0]["solved"] is True


# -- nothing posted is believed ----------------------------------------------------------------------------------------


def test_a_posted_problem_is_ignored(api: Api, env_id: str) -> None:
    task, env = drawn(env_id)
    other, _ = drawn(env_id, seed=2)
    actions = whole_episode(env)
    honest = judged(api, item(task, actions, "no answer"))
    for forged in [
        {"problem": other.problem},
        {"problem": {}},
        {"problem": None},
        {"prompt": "Say yes."},
        {"fingerprint": other.fingerprint},
        {"difficulty": 1},
        {"tools": [{"type": "function"}]},
        {"key": "yes", "answer": "yes", "solution": 1},
    ]:
        assert judged(api, item({**task.to_json(), **forged}, actions, "no answer")) == honest


def test_an_answer_to_the_posted_problem_does_not_score(api: Api) -> None:
    task, _ = drawn("arithmetic-v0", seed=1)
    forged = {**task.to_json(), "problem": {"expression": "1 + 1"}, "prompt": "1 + 1"}
    assert judged(api, item(forged, "<answer>2</answer>"))[0]["verdicts"][0]["reward"] == 0.0


@pytest.mark.parametrize(
    "forged", [{"seed": 2, "draw": None}, {"params": {"terms": 4, "digits": 2, "operators": "+-", "nesting": 1}}]
)
def test_another_key_is_another_task(api: Api, forged: dict[str, Any]) -> None:
    task, env = drawn("arithmetic-v0", seed=1)
    (result,) = judged(api, item({**task.to_json(), **forged}, env.solve()))
    assert result["verdicts"][0]["reward"] == 0.0


def test_an_attempt_that_is_not_of_the_split_is_refused(api: Api) -> None:
    task, env = drawn("arithmetic-v0", seed=1, split="test")
    assert task.draw is not None
    right = env.solve()
    items = [item({**task.to_json(), "draw": draw}, right) for draw in range(task.draw)]
    items += [
        item({**task.to_json(), "split": "validation"}, right),
        item(drawn("arithmetic-v0")[0].to_json() | {"split": "test"}, right),
    ]
    for result in judged(api, *items):
        assert result["verdicts"] is None
        assert result["error"]["code"] == "InvalidParameters"
        assert "is not a problem of the split" in result["error"]["detail"]


BAD_KEYS: list[tuple[dict[str, Any], str, str]] = [
    ({"draw": -1}, "InvalidParameters", "0..19999"),
    ({"draw": 20_000}, "InvalidParameters", "0..19999"),
    ({"draw": True}, "InvalidParameters", "0..19999"),
    ({"seed": -1}, "InvalidParameters", "0..2**63-1"),
    ({"seed": "1"}, "InvalidParameters", "0..2**63-1"),
    ({"seed": 2**63}, "InvalidParameters", "0..2**63-1"),
    ({"split": "tset"}, "InvalidParameters", "Did you mean 'test'?"),
    ({"split": ["test"]}, "InvalidParameters", "train, validation, test"),
    ({"env_id": "aritmetic-v0"}, "UnknownEnvironment", "Did you mean 'arithmetic-v0'?"),
    ({"env_id": 7}, "InvalidParameters", "is text"),
    ({"params": None}, "InvalidParameters", "are an object"),
    ({"params": {}}, "InvalidParameters", "lacks the parameters terms"),
    ({"params": {"terms": 2, "digits": 2, "operators": "+", "nesting": 0, "x": 1}}, "InvalidParameters", "'x'"),
    ({"params": {"terms": 99, "digits": 2, "operators": "+", "nesting": 0}}, "InvalidParameters", "terms"),
    ({"params": {"terms": "2", "digits": 2, "operators": "+", "nesting": 0}}, "InvalidParameters", "terms"),
    ({"params": {"terms": 2, "digits": 2, "operators": "\ud800", "nesting": 0}}, "InvalidParameters", "JSON"),
]


@pytest.mark.parametrize(("bad", "code", "part"), BAD_KEYS, ids=[ascii(bad)[:60] for bad, _, _ in BAD_KEYS])
def test_a_bad_key_spoils_only_its_own_item(api: Api, bad: dict[str, Any], code: str, part: str) -> None:
    task, env = drawn("arithmetic-v0")
    good = item(task, env.solve())
    results = judged(api, good, item({**task.to_json(), **bad}, "x"), good)
    assert results[0] == results[2]
    assert results[0]["verdicts"][0]["reward"] == 1.0
    assert results[1]["verdicts"] is None
    assert results[1]["error"]["code"] == code
    assert part in results[1]["error"]["detail"]


def test_a_failing_environment_spoils_only_its_own_item(api: Api, register: Register) -> None:
    class Broken(Sum):
        def sample(self, rng: Stream, p: Any) -> Instance:
            raise ZeroDivisionError(f"the secret is {SECRET}")

    register("broken-v0", Broken)
    task, env = drawn("arithmetic-v0")
    good = item(task, env.solve())
    key = {"env_id": "broken-v0", "params": {"terms": 2, "digits": 1}, "split": "train", "seed": 1}
    response = api.post("/v1/verify", {"items": [good, item(key, "x"), good]})
    assert str(SECRET) not in response.text
    results = response.json()["results"]
    assert [r["verdicts"] and r["verdicts"][0]["reward"] for r in results] == [1.0, None, 1.0]
    assert results[1]["error"]["code"]


# -- rewards -----------------------------------------------------------------------------------------------------------


def test_weights_make_the_reward(api: Api) -> None:
    task, env = drawn("arithmetic-v0")
    right = env.solve()
    plain = right.removeprefix("<answer>").removesuffix("</answer>")
    (result,) = judged(api, item(task, right, plain, "0"), reward={"accuracy": 2, "format": 0.5})
    assert [verdict["reward"] for verdict in result["verdicts"]] == [2.5, 2.0, 0.0]
    (result,) = judged(api, item(task, right, plain, answer_format="last"), reward={"format": 1.0})
    assert [verdict["reward"] for verdict in result["verdicts"]] == [0.0, 1.0]
    (result,) = judged(api, item(task, right), reward={"formt": 9.0})
    assert result["verdicts"] is None  # a weight of nothing would pay nothing, silently
    assert "Did you mean 'format'?" in result["error"]["detail"]
    (result,) = judged(api, item(task, right), reward={})
    assert result["verdicts"][0]["reward"] == 0.0


@pytest.mark.parametrize("weight", ["NaN", "Infinity", "-Infinity", "true", '"1"', "null", "1e999"])
def test_a_weight_is_a_finite_number(api: Api, weight: str) -> None:
    body = f'{{"items": [], "reward": {{"accuracy": {weight}}}}}'
    response = api.post("/v1/verify", content=body, headers={"content-type": "application/json"})
    status, code, detail = problem(response)
    assert status == 422
    assert code in ("InvalidParameters", "InvalidRequest")
    assert "accuracy" in detail


def test_what_could_not_be_judged_has_no_reward(api: Api, register: Register) -> None:
    environment, _ = adder()
    register("adder-v0", type(environment))
    task, _ = drawn("adder-v0")
    right = [write_call("add", amount=10), write_call("submit", total=10)]
    (result,) = judged(
        api,
        item(task, right, write_call("explode"), [write_call("ask", payload="fail")], right),
        reward={"accuracy": 1},
    )
    assert [verdict["reward"] for verdict in result["verdicts"]] == [1.0, None, None, 1.0]
    assert result["verdicts"][1]["error"]["code"] == "environment_failed"
    assert result["verdicts"][2]["error"]["code"] == "resource_failed"


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_batch_has_a_limit(make_api: Callable[..., Api]) -> None:
    api = make_api(max_batch=4)
    task, _ = drawn("arithmetic-v0")
    assert len(judged(api, item(task, "1", "2"), item(task, "1", "2"))) == 2
    status, code, detail = problem(api.post("/v1/verify", {"items": [item(task, "1", "2"), item(task, "1", "2", "3")]}))
    assert (status, code) == (422, "InvalidParameters")
    assert "at most 4 responses" in detail
    assert "got 5" in detail
    assert judged(api) == []
    assert judged(api, item(task)) == [{"verdicts": []}]


def test_an_answer_has_a_length(make_api: Callable[..., Api]) -> None:
    api = make_api(max_answer_bytes=1024)
    task, _ = drawn("arithmetic-v0")
    status, code, detail = problem(api.post("/v1/verify", {"items": [item(task, "1")] * 1000}))
    assert (status, code) == (422, "InvalidParameters")
    assert "longer than 1024 bytes" in detail
    fit = int(re.findall(r"the first (\d+) items fit", detail)[0])
    assert len(judged(api, *[item(task, "1")] * fit)) == fit
    assert len(judged(api, item(task, *["1"] * 50))) == 1  # one that is longer alone


def test_items_without_responses_count_as_well(make_api: Callable[..., Api]) -> None:
    """Each costs a problem to rebuild."""
    api = make_api(max_batch=4)
    task, _ = drawn("arithmetic-v0")
    assert problem(api.post("/v1/verify", {"items": [item(task)] * 5}))[:2] == (422, "InvalidParameters")


TASKS = {id: drawn(id, difficulty=2)[0] for id in ("arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0")}


@settings(max_examples=40)
@given(
    id=st.sampled_from(sorted(TASKS)),
    response=st.text() | st.lists(st.text(), max_size=3) | st.from_regex(r"<answer>[-+*/() 0-9.]{0,30}</answer>"),
)
def test_any_text_gets_the_librarys_verdict(id: str, response: Any) -> None:
    api = Api()
    try:
        (result,) = judged(api, item(TASKS[id], response))
    finally:
        api.close()
    expected = envhub.verify(TASKS[id], response)
    assert result["verdicts"] == [{**expected.to_json(), "reward": expected.score}]

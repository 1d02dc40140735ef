"""NeMo Gym's protocol: rows are judged, tools and turns are played, and what could not be judged is masked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from envhub.core.tools import read_calls, tools_of
from envhub.registry.registry import list_envs, load, spec
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.dataset.workshop import Unjudged, known
from tests.server.protocols.client import Http
from tests.server.protocols.played import Play, call, message, play, response, solved
from tests.server.serving import problem, serving

ONE, TURNS, TOOLS = "arithmetic-v0", "guess-number-v0", "browse-v0"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(create_app(ServerSettings(journal="memory:"))) as url:
        yield url


@pytest.fixture
def http(server: str) -> Iterator[Http]:
    with Http(server) as client:
        yield client


def answered(played: Play, *output: dict[str, Any]) -> dict[str, Any]:
    """A row with a response."""
    return {**played.row("nemo-gym"), "response": response(*output)}


def calls(played: Play) -> list[tuple[str, dict[str, Any]]]:
    """What the oracle called."""
    made = [read_calls(action, tools_of(load(spec(TOOLS))))[0] for action in played.actions]
    return [(each.name, dict(each.arguments)) for each in made]  # type: ignore[union-attr]


# -- verify ------------------------------------------------------------------------------------------------------------


def test_the_request_comes_back_with_its_reward(http: Http) -> None:
    right = play(ONE, 7, "oracle")
    sent = {**answered(right, message(right.actions[0])), "mine": [1, {"x": 2.5}], "reward": 99, "mask_sample": True}
    got = http.post(f"/nemo/{ONE}/verify", sent)
    ours = {"reward": 1.0, "mask_sample": False, "failure_kind": None, "failure_reason": None}
    assert got == {**sent, **ours, "solved": 1.0, "no_answer": 0.0, "format": 1.0}
    assert got == http.post("/nemo/any/verify", sent)


def test_only_what_the_policy_wrote_is_read(http: Http) -> None:
    right = play(ONE, 7, "oracle")
    answer = right.actions[0]
    told = {"type": "message", "role": "user", "content": answer}
    thought = {"type": "reasoning", "id": "t", "summary": [{"type": "summary_text", "text": answer}]}
    refused = {**message(""), "content": [{"type": "refusal", "refusal": answer}]}
    for output in ([told], [thought], [refused], [], [told, thought, message("no idea")]):
        assert http.post(f"/nemo/{ONE}/verify", answered(right, *output))["reward"] == 0.0
    for output in ([thought, message(answer)], [{**message(""), "content": answer}], [message(""), message(answer)]):
        assert http.post(f"/nemo/{ONE}/verify", answered(right, *output))["reward"] == 1.0


def test_two_final_answers_are_none(http: Http) -> None:
    right = play(ONE, 7, "oracle")
    got = http.post(f"/nemo/{ONE}/verify", answered(right, message("<answer>1</answer>"), message(right.actions[0])))
    assert (got["reward"], got["no_answer"]) == (0.0, 1.0)


def test_what_could_not_be_judged_is_masked(http: Http) -> None:
    with known("unjudged-v0", Unjudged) as env_id:
        asked = play(env_id, 1, "<answer>1</answer>")
        assert asked.rewards == (None,)
        got = http.post(
            f"/nemo/{env_id}/verify", {**answered(asked, message("<answer>1</answer>")), "instance_config": {"a": 1}}
        )
        assert (got["mask_sample"], got["failure_kind"]) == (True, "verifier_error")
        assert got["_ng_failure_class"] == "verifier_error"  # which keeps it out of the rollouts
        assert got["failure_reason"] == "judge_lost: The judge is away."
        assert got["instance_config"] == {"a": 1, "mask_sample": True}
        http.post(f"/nemo/{env_id}/reset", asked.row("nemo-gym"))
        step = http.ask("POST", f"/nemo/{env_id}/step", answered(asked, message("<answer>1</answer>")))
        assert problem(step)[:2] == (500, "JudgementError")


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"ground_truth": "4"}, 422, "A task key is an object"),
        ({"ground_truth": "x"}, 422, "task key as JSON text"),
        ({"ground_truth": None}, 422, "ground_truth"),
        ({"fingerprint": "0" * 32}, 422, "another problem"),
        ({"answer_format": "bxed"}, 422, "answer_format must be one of"),
        ({"response": {}}, 422, "response.output"),
        ({"response": {"output": ["x"]}}, 422, "response.output"),
        ({"response": {"output": [{**message(""), "content": [{"type": "output_text"}]}]}}, 422, "list of text parts"),
        ({"response": {"output": [{"type": "function_call"}]}}, 422, "function_call"),
        ({"deep": [[[[[[[[[]]]]]]]]]}, 200, ""),
        ({"big": 2**70, "half": "\ud800"}, 200, ""),
    ],
)
def test_what_is_no_row_is_refused(http: Http, change: dict[str, Any], status: int, says: str) -> None:
    right = play(ONE, 7, "oracle")
    got = http.ask("POST", f"/nemo/{ONE}/verify", {**answered(right, message(right.actions[0])), **change})
    assert got.status_code == status, got.text
    assert says in got.text


def test_a_posted_solution_is_not_believed(http: Http) -> None:
    right = play(ONE, 7, "oracle")
    sent = {
        **answered(right, message("<answer>1</answer>")),
        "solution": ["<answer>1</answer>"],
        "problem": {},
        "key": 1,
    }
    assert http.post(f"/nemo/{ONE}/verify", sent)["reward"] == 0.0
    elsewhere = http.ask("POST", f"/nemo/{TURNS}/verify", sent)
    assert "this path of guess-number-v0" in problem(elsewhere)[2]
    assert problem(http.ask("POST", "/nemo/nothing-v0/verify", sent))[:2] == (404, "UnknownEnvironment")


def test_a_body_that_is_no_json_number_or_nested_without_end(http: Http) -> None:
    right = play(ONE, 7, "oracle")
    sent = answered(right, message(right.actions[0]))
    for extra in (float("nan"), float("inf")):
        assert problem(http.ask("POST", f"/nemo/{ONE}/verify", {**sent, "x": [extra]}))[:2] == (422, "InvalidRequest")
    deep: Any = []
    for _ in range(70):
        deep = [deep]
    assert "levels deep" in problem(http.ask("POST", f"/nemo/{ONE}/verify", {**sent, "x": deep}))[2]


# -- tools -------------------------------------------------------------------------------------------------------------


def test_tools_are_turns_and_verify_gives_what_they_earned(http: Http) -> None:
    for played in (solved(TOOLS, 1), solved(TOOLS, 2)):
        http.forget()
        assert http.post(f"/nemo/{TOOLS}/seed_session", played.row("nemo-gym")) == {}
        for (name, arguments), seen in zip(calls(played), played.observations[1:], strict=True):
            assert http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments).text == seen
        assert "over" in http.ask("POST", f"/nemo/{TOOLS}/back", {}).text
        got = http.post(f"/nemo/{TOOLS}/verify", answered(played, message("Done.")))
        assert (got["reward"], got["mask_sample"]) == (1.0, False)


def test_a_request_that_is_sent_again_takes_no_second_turn(http: Http) -> None:
    """A client whose connection broke sends the cookie of before; it is answered from the record."""
    played = solved(TOOLS, 1)
    http.post(f"/nemo/{TOOLS}/seed_session", played.row("nemo-gym"))
    (name, arguments), *rest = calls(played)
    before = http.cookie()
    first = http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments).text
    http.remember(before)
    assert http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments).text == first
    http.remember(before)
    assert problem(http.ask("POST", f"/nemo/{TOOLS}/back", {}))[:2] == (409, "Conflict")
    http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments)
    for name, arguments in rest:
        http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments)
    for _ in range(2):
        assert http.post(f"/nemo/{TOOLS}/verify", answered(played, message("Done.")))["reward"] == 1.0


def test_an_episode_that_was_not_ended_earns_nothing(http: Http) -> None:
    played = solved(TOOLS, 1)
    http.post(f"/nemo/{TOOLS}/seed_session", played.row("nemo-gym"))
    for _ in range(2):
        got = http.post(f"/nemo/{TOOLS}/verify", answered(played, message("I give up.")))
        assert (got["reward"], got["no_answer"], got["mask_sample"]) == (0.0, 1.0, False)


def test_the_last_word_is_a_turn(http: Http) -> None:
    """Also a call that was written as text, after those that were made."""
    played = solved(TOOLS, 1)
    *before, _ = calls(played)
    http.post(f"/nemo/{TOOLS}/seed_session", played.row("nemo-gym"))
    for name, arguments in before:
        http.ask("POST", f"/nemo/{TOOLS}/{name}", arguments)
    made = [call(name, json.dumps(arguments)) for name, arguments in before]
    got = http.post(f"/nemo/{TOOLS}/verify", answered(played, message("first"), *made, message(played.actions[-1])))
    assert got["reward"] == 1.0


def test_a_session_that_is_lost_is_masked(http: Http) -> None:
    played, other = solved(TOOLS, 1), solved(TOOLS, 2)
    for cookie in (None, "nobody:3", "a:b:c", ":1"):
        http.remember(cookie)
        got = http.post(f"/nemo/{TOOLS}/verify", answered(played, message("Done.")))
        assert (got["mask_sample"], got["failure_kind"]) == (True, "session_lost")
    assert problem(http.ask("POST", f"/nemo/{TOOLS}/back", {}))[:2] == (404, "UnknownEpisode")
    http.post(f"/nemo/{TOOLS}/seed_session", other.row("nemo-gym"))
    assert "another row" in problem(http.ask("POST", f"/nemo/{TOOLS}/verify", answered(played, message("x"))))[2]


def test_no_tool_has_the_name_of_a_route() -> None:
    routes = {"seed_session", "verify", "close_session", "aggregate_metrics", "reverify_mode", "reset", "step", "close"}
    for env_id in list_envs():
        try:
            assert not routes & set(load(spec(env_id)).tools), env_id
        except ImportError:  # an extra is missing
            continue


# -- sessions of an Environment Server ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("env", "keeps"), [(ONE, False), (TOOLS, True)])
def test_sessions_that_the_caller_names(http: Http, env: str, keeps: bool) -> None:
    """The rules of nemo_gym.testing.session_conformance."""
    row = play(env, 1, "x").row("nemo-gym")
    seed = {"resources_session_id": f"s {env}", "episode_id": "e", "task_id": "t", "task_data": row}
    close = {"resources_session_id": f"s {env}", "episode_id": "e"}
    at = f"/nemo/{env}"
    for _ in range(2):
        assert http.post(f"{at}/seed_session", seed) == {"resources_session_id": f"s {env}"}
    for _ in range(2):
        assert http.post(f"{at}/close_session", close) == {"resources_session_id": f"s {env}"}
    never = {**seed, "resources_session_id": "never"}
    assert http.post(f"{at}/close_session", {**close, "resources_session_id": "never"})
    for late in (seed, never):
        assert (http.ask("POST", f"{at}/seed_session", late).status_code == 409) == keeps


def test_what_is_closed_is_forgotten_unless_it_has_ended(http: Http) -> None:
    played = play(TURNS, 3, *["oracle"] * 10)
    for actions, kept in ((played.actions[:-1], False), (played.actions, True)):
        http.post(f"/nemo/{TURNS}/reset", played.row("nemo-gym"))
        for action in actions:
            http.post(f"/nemo/{TURNS}/step", answered(played, message(action)))
        episode = http.cookie().partition(":")[0]
        assert http.post(f"/nemo/{TURNS}/close", {}) == {}
        assert (http.ask("GET", f"/v1/episodes/{episode}").status_code == 200) == kept


# -- the Gymnasium form ------------------------------------------------------------------------------------------------


def test_turns_are_played(http: Http) -> None:
    played = play(TURNS, 5, *["oracle"] * 10)
    opened = http.post(f"/nemo/{TURNS}/reset", played.row("nemo-gym"))
    assert opened["observation"] is None  # the row's prompt has said it
    assert opened["info"]["supports_explicit_close"] is True
    for action, seen, reward in zip(played.actions, played.observations[1:], played.rewards, strict=True):
        got = http.post(f"/nemo/{TURNS}/step", answered(played, message(action)))
        assert (got["observation"], got["reward"]) == (seen, reward)
    assert (got["terminated"], got["truncated"]) == (True, False)
    silent = {**played.row("nemo-gym"), "responses_create_params": {"input": "Go on."}}
    assert http.post(f"/nemo/{TURNS}/reset", silent)["observation"] == played.task.prompt


def test_calls_of_functions_are_answered_each(http: Http) -> None:
    played = solved(TOOLS, 1)
    http.post(f"/nemo/{TOOLS}/reset", played.row("nemo-gym"))
    for number, (name, arguments) in enumerate(calls(played)):
        got = http.post(f"/nemo/{TOOLS}/step", answered(played, call(name, json.dumps(arguments), f"c{number}")))
        assert got["info"]["tool_outputs"] == [{"call_id": f"c{number}", "output": played.observations[number + 1]}]
        assert got["observation"] is None
    assert (got["reward"], got["terminated"]) == (1.0, True)
    http.post(f"/nemo/{TOOLS}/reset", played.row("nemo-gym"))
    two = [call("back", "{}", "a"), call("back", '{"x": "</tool_call>"}', "b")]
    outputs = http.post(f"/nemo/{TOOLS}/step", answered(played, *two))["info"]["tool_outputs"]
    assert [each["call_id"] for each in outputs] == ["a", "b"]
    assert "unknown argument" in outputs[1]["output"]


# -- sums --------------------------------------------------------------------------------------------------------------


def test_what_is_masked_is_in_no_mean(http: Http) -> None:
    rollouts = [
        {"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 1.0, "solved": True},
        {"_ng_task_index": 0, "_ng_rollout_index": 1, "reward": 0.0, "solved": False},
        {"_ng_task_index": 1, "_ng_rollout_index": 0, "reward": 0.0, "mask_sample": True},
    ]
    got = http.post("/nemo/any/aggregate_metrics", {"verify_responses": rollouts})
    assert got["key_metrics"]["mean/reward"] == 0.5
    assert got["agent_metrics"]["std/reward"] == pytest.approx(0.5**0.5)
    assert got["agent_metrics"]["coverage/fully_masked_tasks"] == 1
    assert [group["_ng_task_index"] for group in got["group_level_metrics"]] == [0]
    masked = http.post("/nemo/any/aggregate_metrics", {"verify_responses": rollouts[2:]})
    assert not any(name.startswith("mean/") for name in masked["agent_metrics"])
    assert http.post("/nemo/any/aggregate_metrics", {"verify_responses": []})["agent_metrics"] == {}


def test_what_needs_a_session_cannot_be_verified_again(http: Http) -> None:
    modes = {env_id: http.ask("GET", f"/nemo/{env_id}/reverify_mode").json() for env_id in (ONE, TURNS, TOOLS, "any")}
    assert modes == {ONE: "stateless", TURNS: "unsupported", TOOLS: "unsupported", "any": "unsupported"}
    traced = http.ask("GET", f"/nemo/{ONE}/ng-rollout/r1/reverify_mode")  # where NeMo Gym traces
    assert traced.json() == "stateless"

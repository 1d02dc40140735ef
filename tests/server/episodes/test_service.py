"""Episodes over HTTP: each request counts once, forks share a past, and memory is only a cache of the journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.registry import registry
from tests.server.serving import ADD_3, ADD_4, GUESS, LOOK, Api, local, problem
from tests.support.toys import Dice, adder

MakeApi = Callable[..., Api]
Register = Callable[..., str]


# -- create ------------------------------------------------------------------------------------------------------------


def test_the_opening_is_what_a_local_reset_gives(api: Api, env_id: str) -> None:
    opening = api.create(env_id, "mine", seed=5, difficulty=2, split="test")
    env = envhub.make(env_id, difficulty=2, split="test")
    observation, info = env.reset(seed=5)
    assert opening == {
        "episode_id": "mine",
        "turn": 0,
        "observation": observation,
        "info": info,
        "over": False,
        "task": env.task.to_json(),
        "max_action_chars": env.environment.max_action_chars,
        "max_observation_chars": env.environment.max_observation_chars,
    }


def test_what_is_left_out_has_a_default(api: Api) -> None:
    response = api.post("/v1/episodes", {"env_id": GUESS})
    assert response.status_code == 201
    opening = response.json()
    assert len(opening["episode_id"]) == 32
    assert (opening["task"]["difficulty"], opening["task"]["split"]) == (3, "train")
    assert api.look(opening["episode_id"])["task"] == opening["task"]


def test_creating_again_gives_the_first_answer_however_far_the_episode_is(api: Api) -> None:
    request = {"env_id": GUESS, "episode_id": "e", "seed": 7, "turn_seed": 2, "options": {"system": "Be brief."}}
    first = api.post("/v1/episodes", request)
    api.step(0, "<answer>1</answer>")
    again = api.post("/v1/episodes", request)
    assert (again.status_code, again.content) == (201, first.content)
    assert api.look()["turn"] == 1


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 8},
        {"seed": None},
        {"env_id": "arithmetic-v0"},
        {"difficulty": 4},
        {"split": "test"},
        {"turn_seed": 1},
        {"params": {"guesses": 3}},
        {"options": {"answer_format": "boxed"}},
        {"options": {"reward": {"format": 1.0}}},
    ],
    ids=str,
)
def test_an_id_is_given_once(api: Api, other: dict[str, Any]) -> None:
    request = {"env_id": GUESS, "episode_id": "e", "seed": 7}
    first = api.post("/v1/episodes", request)
    status, code, detail = problem(api.post("/v1/episodes", {**request, **other}))
    assert (status, code) == (409, "Conflict")
    assert "'e'" in detail
    assert "choose a new one" in detail
    assert api.post("/v1/episodes", request).content == first.content


def test_a_null_seed_is_drawn_once(api: Api) -> None:
    request = {"env_id": GUESS, "episode_id": "e", "seed": None}
    answers = {r.content for r in api.together([("POST", "/v1/episodes", request)] * 20)}
    assert len(answers) == 1
    assert api.post("/v1/episodes", request).content in answers
    assert len({api.create(GUESS, None)["task"]["seed"] for _ in range(5)}) == 5
    assert api.get("/ready").json()["episodes"] == 6


def test_what_does_not_fit_leaves_nothing_behind(api: Api) -> None:
    assert api.post("/v1/episodes", {"env_id": GUESS, "episode_id": "e", "difficulty": 11}).status_code == 422
    assert api.get("/ready").json()["episodes"] == 0
    api.create(GUESS, "e", seed=1)


def test_options_word_and_reward_the_episode(api: Api) -> None:
    api.create(
        "arithmetic-v0",
        seed=3,
        options={"answer_format": "boxed", "system": "Be brief.", "reward": {"accuracy": 1.0, "format": 0.25}},
    )
    env = local("arithmetic-v0", 3, answer_format="boxed", system="Be brief.", reward={"accuracy": 1.0, "format": 0.25})
    right = env.solve()
    observation, reward, terminated, truncated, info = env.step(right)
    assert reward == 1.25
    assert api.step(0, right) == {
        "episode_id": "e",
        "turn": 1,
        "observation": observation,
        "reward": reward,
        "terminated": terminated,
        "truncated": truncated,
        "info": info,
    }
    assert api.look()["messages"] == env.messages
    assert env.messages[0] == {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize(
    "named", [{"reward": {"format": 1.0}}, {"answer_format": "boxed"}, {"system": "x"}, {"on_error": "raise"}], ids=str
)
def test_an_option_among_the_parameters_is_refused_and_not_dropped(api: Api, named: dict[str, Any]) -> None:
    """It would be accepted and then forgotten: another reward than was asked for."""
    status, code, detail = problem(api.post("/v1/episodes", {"env_id": GUESS, "seed": 1, "params": named}))
    assert (status, code) == (422, "InvalidParameters")
    assert next(iter(named)) in detail


@pytest.mark.parametrize("named", [{"difficulty": 5}, {"split": "test"}, {"id": GUESS}], ids=str)
@pytest.mark.parametrize("path", ["/v1/episodes", "/v1/tasks"])
def test_a_field_among_the_parameters_is_refused(api: Api, named: dict[str, Any], path: str) -> None:
    body = {"env_id": GUESS, "params": named} | ({"seeds": [1]} if path == "/v1/tasks" else {"seed": 1})
    status, code, detail = problem(api.post(path, body))
    assert (status, code) == (422, "InvalidParameters")
    assert next(iter(named)) in detail


# -- step --------------------------------------------------------------------------------------------------------------


def test_steps_are_those_of_a_local_episode(api: Api, env_id: str) -> None:
    api.create(env_id, seed=11, difficulty=2)
    env = local(env_id, 11, difficulty=2)
    over, turn = False, 0
    while not over:
        action = "no answer at all" if turn == 0 and env.environment.max_turns > 1 else env.solve()
        observation, reward, terminated, truncated, info = env.step(action)
        over, turn = terminated or truncated, turn + 1
        answer = api.step(turn - 1, action)
        assert list(answer.values()) == ["e", turn, observation, reward, terminated, truncated, info]
    seen = api.look()
    assert (seen["over"], seen["turn"], len(seen["steps"])) == (True, turn, turn)
    assert ticketless(seen["snapshot"]) == ticketless(env.snapshot())
    assert seen["messages"] == env.messages


def ticketless(snapshot: dict[str, Any]) -> dict[str, Any]:
    """A snapshot without what leads to live resources: each has its own."""
    for record in snapshot["journal"]:
        for effect in record["effects"]:
            effect.pop("token", None)
    return snapshot


def test_a_repeated_step_is_answered_from_the_record(api: Api, register: Register) -> None:
    environment, tally = adder()
    api.create(register("adder-v0", type(environment)), seed=1)
    first = api.try_step(0, ADD_3)
    assert api.try_step(0, ADD_3).content == first.content
    second = api.try_step(1, ADD_4)
    assert api.try_step(0, ADD_3).content == first.content
    assert api.try_step(1, ADD_4).content == second.content
    assert tally.performed == [3, 4]
    assert api.look()["turn"] == 2


def test_twenty_identical_steps_at_once_advance_the_state_once(api: Api, register: Register) -> None:
    environment, tally = adder()
    api.create(register("adder-v0", type(environment)), seed=1)
    for turn, action in enumerate([ADD_3, ADD_4, LOOK]):
        responses = api.together([("POST", "/v1/episodes/e/step", {"turn": turn, "action": action})] * 20)
        assert {r.status_code for r in responses} == {200}
        assert len({r.content for r in responses}) == 1
        assert api.look()["turn"] == turn + 1
    assert tally.performed == [3, 4, "total?"]


def test_of_different_actions_for_one_turn_one_is_taken(api: Api) -> None:
    api.create(GUESS, seed=1)
    calls = [("POST", "/v1/episodes/e/step", {"turn": 0, "action": f"<answer>{n}</answer>"}) for n in range(1, 11)]
    responses = api.together(calls)
    assert sorted(r.status_code for r in responses) == [200] + [409] * 9
    status, code, detail = problem(next(r for r in responses if r.status_code == 409))
    assert (status, code) == (409, "Conflict")
    assert detail == (
        "Turn 0 of 'e' was taken with another action; the next turn is 1. Fork the episode to try something else."
    )
    assert api.look()["turn"] == 1


@pytest.mark.parametrize("turn", [1, 5, 2**70])
def test_a_turn_out_of_order_is_refused(api: Api, turn: int) -> None:
    api.create(GUESS, seed=1)
    status, code, detail = problem(api.try_step(turn, "<answer>1</answer>"))
    assert (status, code, detail) == (409, "Conflict", f"The next turn of 'e' is 0, not {turn}.")
    assert api.look()["turn"] == 0


def test_after_the_end_there_is_no_step_but_the_last_can_be_repeated(api: Api) -> None:
    api.create("arithmetic-v0", seed=1)
    last = api.try_step(0, "<answer>0</answer>")
    assert last.json()["terminated"]
    assert problem(api.try_step(1, "<answer>1</answer>"))[:2] == (409, "EpisodeOver")
    assert api.try_step(0, "<answer>0</answer>").content == last.content
    assert problem(api.try_step(0, "<answer>1</answer>"))[:2] == (409, "Conflict")
    assert problem(api.try_step(2, "<answer>1</answer>"))[:2] == (409, "Conflict")


def test_an_episode_cut_for_want_of_turns_is_over(api: Api, register: Register) -> None:
    api.create(register("dice-v0", Dice), seed=1)
    answers = [api.step(turn, "5") for turn in range(5)]
    assert [(a["terminated"], a["truncated"]) for a in answers] == [(False, False)] * 4 + [(False, True)]
    assert answers[-1]["reward"] == 0.0
    assert answers[-1]["info"]["verdict"]["reason"] == "turn_limit"
    assert problem(api.try_step(5, "5"))[1] == "EpisodeOver"


def test_a_deleted_episode_is_gone(api: Api, register: Register) -> None:
    environment, tally = adder()
    api.create(register("adder-v0", type(environment)), seed=1)
    api.step(0, ADD_3)
    response = api.send("DELETE", "/v1/episodes/e")
    assert (response.status_code, response.content) == (204, b"")
    assert tally.closed == 1
    path = "/v1/episodes/e"
    asked = [("DELETE", path, None), ("GET", path, None), ("POST", f"{path}/step", {"turn": 1, "action": "x"})]
    for call in [*asked, ("POST", f"{path}/fork", {"episode_id": "f"})]:
        assert problem(api.send(*call)) == (
            404,
            "UnknownEpisode",
            "No episode 'e'; it may have expired or been deleted.",
        )
    api.create("adder-v0", seed=2)
    assert api.look()["turn"] == 0


# -- any text is an action ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        "",
        "\x00\x01\x7f",
        "\N{SNOWMAN} \N{RIGHT-TO-LEFT OVERRIDE}7",
        "\U0001f600" * 50,
        "<answer>\N{ARABIC-INDIC DIGIT SEVEN}</answer>",
        '"}]',
    ],
    ids=ascii,
)
def test_any_text_is_answered_as_a_local_environment_does(api: Api, env_id: str, action: str) -> None:
    api.create(env_id, seed=1)
    observation, reward, *_ = local(env_id, 1).step(action)
    answer = api.step(0, action)
    assert (answer["observation"], answer["reward"]) == (observation, reward)
    assert api.look()["messages"][1] == {"role": "assistant", "content": action}


@pytest.mark.parametrize("escaped", [r"\ud800", r"<answer>5\udfff</answer>", r"\udc00\ud800 \ud83d\ude00"])
def test_a_lone_surrogate_is_an_action_like_any_other(api: Api, escaped: str) -> None:
    api.create(GUESS, seed=1)
    body = b'{"turn": 0, "action": "%s"}' % escaped.encode()
    path, headers = "/v1/episodes/e/step", {"content-type": "application/json"}
    first = api.post(path, content=body, headers=headers)
    assert first.status_code == 200, first.text
    assert first.json()["observation"] == local(GUESS, 1).step(json.loads(f'"{escaped}"'))[0]
    assert api.post(path, content=body, headers=headers).content == first.content
    assert "?" in api.look()["messages"][1]["content"]


def test_an_action_over_the_limit_is_answered_and_cut_in_the_record(api: Api) -> None:
    api.create(GUESS, seed=1)
    limit = api.look()["task"] and registry.load(registry.spec(GUESS)).max_action_chars
    huge = "<answer>5</answer>" + "x" * (2 * limit)
    first = api.try_step(0, huge)
    assert f"longer than {limit} characters" in first.json()["observation"]
    assert api.try_step(0, huge).content == first.content
    assert len(api.look()["messages"][1]["content"]) == limit + 1
    assert problem(api.try_step(0, "y" * (2 * limit)))[1] == "Conflict"


def test_a_long_observation_is_cut(api: Api, register: Register) -> None:
    api.create(register("dice-v0", Dice), seed=1)
    assert api.step(0, "5000")["observation"] == "x" * 200 + "\n[cut: 5000 characters in all]"

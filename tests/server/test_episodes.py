"""Episodes over HTTP: each request counts once, forks share a past, and memory is only a cache of the journal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub import registry
from envhub.author import write_call
from envhub.effects import Effect, Live, Outcome, Resource
from envhub.server.journal import Entry, Header, MemoryJournal, Stored
from envhub.server.service import Episodes
from tests.server.serving import Api, patiently, problem
from tests.toys import SECRET, Adder, Dice, adder

MakeApi = Callable[..., Api]
Register = Callable[..., str]

GUESS = "guess-number-v0"
ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)
LOOK, DONE = write_call("look"), write_call("submit", total=10)


def local(env_id: str, seed: int, **settings: Any) -> envhub.Env:
    env = envhub.make(env_id, **settings)
    env.reset(seed=seed)
    return env


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
        "max_action_chars": env.author.max_action_chars,
        "max_observation_chars": env.author.max_observation_chars,
    }


def test_what_is_left_out_has_a_default(api: Api) -> None:
    response = api.post("/v1/episodes", {"env_id": GUESS})
    assert response.status_code == 201
    opening = response.json()
    assert len(opening["episode_id"]) == 32
    assert (opening["task"]["difficulty"], opening["task"]["split"]) == (3, "train")
    assert api.look(opening["episode_id"])["task"] == opening["task"]


def test_creating_again_gives_the_first_answer_however_far_the_episode_is(api: Api) -> None:
    request = {"env_id": GUESS, "episode_id": "e", "seed": 7, "chance": 2, "options": {"system": "Be brief."}}
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
        {"chance": 1},
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
    assert api.get("/health").json()["episodes"] == 6


def test_what_does_not_fit_leaves_nothing_behind(api: Api) -> None:
    assert api.post("/v1/episodes", {"env_id": GUESS, "episode_id": "e", "difficulty": 11}).status_code == 422
    assert api.get("/health").json()["episodes"] == 0
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
        action = "no answer at all" if turn == 0 and env.author.max_turns > 1 else env.solve()
        observation, reward, terminated, truncated, info = env.step(action)
        over, turn = terminated or truncated, turn + 1
        answer = api.step(turn - 1, action)
        assert list(answer.values()) == ["e", turn, observation, reward, terminated, truncated, info]
    seen = api.look()
    assert (seen["over"], seen["turn"], len(seen["steps"])) == (True, turn, turn)
    assert seen["snapshot"] == env.snapshot()
    assert seen["messages"] == env.messages


def test_a_repeated_step_is_answered_from_the_record(api: Api, register: Register) -> None:
    author, tally = adder()
    api.create(register("adder-v0", type(author)), seed=1)
    first = api.try_step(0, ADD_3)
    assert api.try_step(0, ADD_3).content == first.content
    second = api.try_step(1, ADD_4)
    assert api.try_step(0, ADD_3).content == first.content
    assert api.try_step(1, ADD_4).content == second.content
    assert tally.performed == [3, 4]
    assert api.look()["turn"] == 2


def test_twenty_identical_steps_at_once_advance_the_state_once(api: Api, register: Register) -> None:
    author, tally = adder()
    api.create(register("adder-v0", type(author)), seed=1)
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
    author, tally = adder()
    api.create(register("adder-v0", type(author)), seed=1)
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


# -- fork --------------------------------------------------------------------------------------------------------------


def test_a_fork_opens_with_what_the_policy_saw_last(api: Api) -> None:
    opening = api.create(GUESS, seed=1)
    seen = [
        opening["observation"],
        *(api.step(turn, f"<answer>{turn + 1}</answer>")["observation"] for turn in range(3)),
    ]
    for turn in (0, 1, 2, 3, None):
        fork = api.fork("e", f"fork-{turn}", turn=turn)
        taken = 3 if turn is None else turn
        same = {**opening, "episode_id": f"fork-{turn}", "turn": taken, "observation": seen[taken]}
        assert fork == same
        assert api.look(f"fork-{turn}")["messages"] == api.look()["messages"][: 1 + 2 * taken]
    api.step(2, "<answer>50</answer>", "fork-2")
    assert api.look()["turn"] == 3
    assert api.look("fork-3")["turn"] == 3


def test_forking_again_gives_the_first_answer_though_both_have_gone_on(api: Api) -> None:
    api.create(GUESS, seed=1)
    api.step(0, "<answer>1</answer>")
    first = api.post("/v1/episodes/e/fork", {"episode_id": "f"})
    api.step(1, "<answer>2</answer>")
    api.step(1, "<answer>3</answer>", "f")
    assert api.post("/v1/episodes/e/fork", {"episode_id": "f"}).content == first.content
    answers = api.together([("POST", "/v1/episodes/e/fork", {"episode_id": "g", "turn": 1})] * 20)
    assert len({r.content for r in answers}) == 1
    api.send("DELETE", "/v1/episodes/e")
    assert api.post("/v1/episodes/e/fork", {"episode_id": "f"}).content == first.content


def test_the_id_of_a_fork_is_given_once(api: Api) -> None:
    api.create(GUESS, "e", seed=1)
    api.create(GUESS, "other", seed=1)
    api.step(0, "<answer>1</answer>")
    api.fork("e", "f")
    for source, body in [
        ("e", {"episode_id": "f", "turn": 0}),
        ("e", {"episode_id": "f", "chance": 1}),
        ("e", {"episode_id": "e"}),
        ("e", {"episode_id": "other"}),
        ("other", {"episode_id": "f"}),
    ]:
        assert problem(api.post(f"/v1/episodes/{source}/fork", body))[:2] == (409, "Conflict")


def test_a_fork_beyond_the_last_turn_is_refused(api: Api) -> None:
    api.create(GUESS, seed=1)
    status, code, detail = problem(api.post("/v1/episodes/e/fork", {"episode_id": "f", "turn": 1}))
    assert (status, code, detail) == (409, "Conflict", "'e' has 0 turns; it cannot be forked at 1.")
    assert problem(api.get("/v1/episodes/f"))[0] == 404


def test_a_fork_of_a_finished_episode_is_over_and_an_earlier_one_is_not(api: Api) -> None:
    api.create("arithmetic-v0", seed=1)
    api.step(0, "<answer>0</answer>")
    assert api.fork("e", "late")["over"]
    assert problem(api.try_step(1, "x", "late"))[1] == "EpisodeOver"
    assert not api.fork("e", "early", turn=0)["over"]
    assert api.step(0, local("arithmetic-v0", 1).solve(), "early")["reward"] == 1.0


def test_what_a_fork_inherited_is_answered_under_its_own_id(api: Api) -> None:
    api.create(GUESS, seed=1)
    taken = api.step(0, "<answer>1</answer>")
    api.fork("e", "f")
    assert api.step(0, "<answer>1</answer>", "f") == {**taken, "episode_id": "f"}
    assert [step["episode_id"] for step in api.look("f")["steps"]] == ["f"]


def test_the_luck_of_a_fork(api: Api, register: Register) -> None:
    api.create(register("dice-v0", Dice), "e", seed=1)
    api.step(0, "5")

    def roll(name: str, **fields: Any) -> str:
        api.fork("e", name, **fields)
        observation: str = api.step(api.look(name)["turn"], "5", name)["observation"]
        return observation

    same = api.step(1, "5")["observation"]
    assert roll("kept", turn=1) == same
    assert roll("named", turn=1, chance=0) == same
    assert roll("other", turn=1, chance=1) != same
    assert roll("again", turn=1, chance=1) == api.look("other")["steps"][-1]["observation"]
    assert roll("anew", turn=0, chance=1) != roll("old", turn=0)

    api.create("dice-v0", "lucky", seed=1, chance=1)
    fork = api.fork("lucky", "lucky-too")  # null keeps the luck there is
    assert api.step(0, "5", "lucky-too")["observation"] == api.step(0, "5", "lucky")["observation"]
    assert fork["turn"] == 0
    fork_of_fork = api.fork("other", "grandchild", turn=1)
    assert api.step(1, "5", "grandchild")["observation"] == api.look("other")["steps"][-1]["observation"]
    assert fork_of_fork["turn"] == 1


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_fork_has_a_resource_of_its_own(make_api: MakeApi, register: Register, restore: Any, turn: int) -> None:
    author, tally = adder(restore)
    api = make_api()
    api.create(register("adder-v0", type(author)), "e", seed=1)
    api.step(0, ADD_3)
    api.step(1, ADD_4)
    performed = list(tally.performed)
    api.fork("e", "f", turn=turn)
    assert tally.performed == performed  # folding performs nothing
    total = [0, 3, 7][turn]
    assert api.step(turn, ADD_3, "f")["observation"] == f"total {total + 3}"
    assert api.step(2, LOOK)["observation"] == "total 7"


def test_a_resource_that_cannot_come_back_refuses_the_fork(api: Api, register: Register) -> None:
    author, _ = adder("none")
    api.create(register("adder-v0", type(author)), seed=1)
    api.step(0, ADD_3)
    status, code, detail = problem(api.post("/v1/episodes/e/fork", {"episode_id": "f"}))
    assert (status, code) == (409, "ForkRefused")
    assert "'tally'" in detail
    assert api.fork("e", "g", turn=0)["turn"] == 0
    assert api.step(1, ADD_4)["observation"] == "total 7"


# -- an answer that could not be judged --------------------------------------------------------------------------------

FAILURES = [
    (write_call("ask", payload="fail"), "resource_failed", "tally: the machine is on fire"),
    (write_call("ask", payload="crash"), "resource_failed", "tally: ZeroDivisionError"),
    (
        write_call("ask", payload="x", of="nothing"),
        "unknown_resource",
        "The environment declares no resource 'nothing'.",
    ),
    (write_call("explode"), "environment_failed", "adder-v0 raised ValueError."),
]


@pytest.mark.parametrize(("action", "code", "reason"), FAILURES, ids=["fails", "crashes", "missing", "explodes"])
def test_a_failure_of_ours_has_no_reward(api: Api, register: Register, action: str, code: str, reason: str) -> None:
    author, tally = adder()
    register("adder-v0", type(author))
    api.create("adder-v0", seed=1, options={"reward": {"accuracy": 1.0, "format": 1.0}})
    first = api.try_step(0, action)
    assert first.status_code == 200
    answer = first.json()
    assert answer["reward"] is None
    assert (answer["terminated"], answer["truncated"]) == (False, True)
    assert answer["info"]["error"] == {"code": code, "reason": reason}
    assert answer["info"]["verdict"]["score"] is None
    assert answer["info"]["verdict"]["status"] == "error"
    assert api.try_step(0, action).content == first.content
    assert api.look()["steps"] == [answer]
    assert problem(api.try_step(1, LOOK))[1] == "EpisodeOver"
    assert str(SECRET) not in first.text + api.get("/v1/episodes/e").text
    assert api.fork("e", "f", turn=0)["over"] is False
    assert api.step(0, ADD_3, "f")["observation"] == "total 3"
    assert len(tally.opened) - tally.closed == 1  # what the fork holds; the failed episode gave its own back


# -- the journal is the truth ------------------------------------------------------------------------------------------


class GatedJournal:
    """A journal elsewhere: it hands out copies, and holds every turn back until it is told to go on, or to fail."""

    def __init__(self) -> None:
        self._kept = MemoryJournal(60, 100, lambda: 0.0)
        self.reached = asyncio.Event()
        self.gate = asyncio.Event()
        self.failing = False

    async def create(self, header: Header, entries: list[Entry]) -> Stored | None:
        return _copy(await self._kept.create(header, entries))

    async def append(self, episode_id: str, turn: int, entry: Entry) -> bool:
        self.reached.set()
        await self.gate.wait()
        if self.failing:
            raise OSError(f"disk full; the secret is {SECRET}")
        return await self._kept.append(episode_id, turn, entry)

    async def load(self, episode_id: str) -> Stored | None:
        return _copy(await self._kept.load(episode_id))

    async def delete(self, episode_id: str) -> bool:
        return await self._kept.delete(episode_id)

    async def sweep(self) -> list[str]:
        return await self._kept.sweep()

    def __len__(self) -> int:
        return len(self._kept)


def _copy(stored: Stored | None) -> Stored | None:
    return None if stored is None else Stored(stored.header, list(stored.entries))


def test_a_turn_is_recorded_before_it_is_answered(make_api: MakeApi) -> None:
    journal = GatedJournal()
    api = make_api(journal)
    api.create(GUESS, seed=1)

    async def watch() -> httpx.Response:
        body = {"turn": 0, "action": "<answer>1</answer>"}
        answer = asyncio.create_task(api.asend("POST", "/v1/episodes/e/step", body))
        await journal.reached.wait()
        for _ in range(50):
            await asyncio.sleep(0)
        assert not answer.done()
        journal.gate.set()
        return await answer

    assert api.run(watch()).status_code == 200


@pytest.mark.parametrize("again", ["create", "fork"])
def test_a_repeated_opening_does_not_disturb_a_turn_that_is_being_recorded(
    make_api: MakeApi, register: Register, again: str
) -> None:
    """The live resource must survive: one that cannot come back would be lost for no reason."""
    author, tally = adder("none")
    register("adder-v0", type(author))
    journal = GatedJournal()
    api = make_api(journal)
    request = {"env_id": "adder-v0", "episode_id": "e", "seed": 1}
    api.post("/v1/episodes", {**request, "episode_id": "s"})
    path, body = ("/v1/episodes", request) if again == "create" else ("/v1/episodes/s/fork", {"episode_id": "e"})
    first = api.post(path, body)

    async def watch() -> None:
        answer = asyncio.create_task(api.asend("POST", "/v1/episodes/e/step", {"turn": 0, "action": ADD_3}))
        await journal.reached.wait()
        repeated = asyncio.create_task(api.asend("POST", path, body))
        for _ in range(50):
            await asyncio.sleep(0)
        journal.gate.set()
        assert (await answer).status_code == 200
        assert (await repeated).content == first.content

    api.run(watch())
    assert api.step(1, ADD_4)["observation"] == "total 7"
    assert len(tally.opened) == 1


def test_a_turn_that_could_not_be_recorded_was_not_taken(make_api: MakeApi) -> None:
    journal = GatedJournal()
    journal.gate.set()
    api = make_api(journal)
    api.create(GUESS, seed=1)
    journal.failing = True
    failed = api.try_step(0, "<answer>1</answer>")
    assert problem(failed)[:2] == (500, "InternalError")
    assert str(SECRET) not in failed.text
    assert api.look()["turn"] == 0
    journal.failing = False
    assert api.step(0, "<answer>2</answer>")["observation"] == local(GUESS, 1).step("<answer>2</answer>")[0]


def test_any_worker_takes_up_any_episode(make_api: MakeApi) -> None:
    journal = MemoryJournal(60, 100, lambda: 0.0)
    one, two = make_api(journal), make_api(journal)
    env = local(GUESS, 1)
    opening = one.create(GUESS, seed=1)
    for turn in range(6):
        here, there = (one, two) if turn % 2 else (two, one)
        action = env.solve()
        answer = here.step(turn, action)
        assert answer["observation"] == env.step(action)[0]
        assert there.step(turn, action) == answer
        assert problem(there.try_step(turn, "<answer>0</answer>"))[1] == "Conflict"
    assert one.look() == two.look()
    assert two.create(GUESS, seed=1) == opening


def test_of_two_workers_that_take_the_same_turn_one_wins(make_api: MakeApi) -> None:
    journal = GatedJournal()
    one, two = make_api(journal), make_api(journal)
    one.create(GUESS, seed=1)

    async def race() -> list[httpx.Response]:
        calls = [
            worker.asend("POST", "/v1/episodes/e/step", {"turn": 0, "action": f"<answer>{n}</answer>"})
            for n, worker in enumerate((one, two), 1)
        ]
        tasks = [asyncio.create_task(call) for call in calls]
        for _ in range(50):
            await asyncio.sleep(0)
        journal.gate.set()
        return await asyncio.gather(*tasks)

    assert sorted(r.status_code for r in one.run(race())) == [200, 409]
    assert one.look() == two.look()
    assert one.look()["turn"] == 1


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_an_episode_out_of_memory_goes_on_without_a_trace(make_api: MakeApi, register: Register, restore: Any) -> None:
    author, tally = adder(restore)
    register("adder-v0", type(author))
    api = make_api(max_live=1)
    api.create("adder-v0", "e", seed=1)
    api.create("adder-v0", "f", seed=1)
    assert api.step(0, ADD_3, "e")["observation"] == "total 3"
    assert api.step(0, ADD_4, "f")["observation"] == "total 4"
    assert api.step(1, ADD_4, "e")["observation"] == "total 7"
    assert api.step(1, LOOK, "f")["observation"] == "total 4"
    assert len(tally.opened) - tally.closed <= 1  # what left memory gave its resource back


def test_a_lost_resource_is_an_error_and_no_score(make_api: MakeApi, register: Register) -> None:
    author, _ = adder("none")
    register("adder-v0", type(author))
    api = make_api(max_live=1)
    api.create("adder-v0", "e", seed=1)
    api.step(0, ADD_3)
    api.create("adder-v0", "f", seed=1)
    answer = api.step(1, ADD_4)
    assert answer["reward"] is None
    assert answer["info"]["error"]["code"] == "resource_lost"


def test_the_luck_of_a_fork_outlives_memory(make_api: MakeApi, register: Register) -> None:
    register("dice-v0", Dice)

    def rolls(max_live: int) -> list[str]:
        api = make_api(max_live=max_live)
        api.create("dice-v0", "e", seed=1, chance=4)
        api.step(0, "5")
        api.fork("e", "f", chance=9)
        seen: list[str] = []
        for turn in (1, 2, 3):
            seen += [api.step(turn, "5", name)["observation"] for name in ("e", "f")]
        return seen

    seen = rolls(max_live=1)
    assert seen == rolls(max_live=1000)
    assert seen[::2] != seen[1::2]


ACTIONS = [ADD_3, ADD_4, LOOK, DONE, write_call("explode"), "5", "0", "<answer>500</answer>", "\N{SNOWMAN}"]
PLAYS = st.lists(
    st.tuples(
        st.sampled_from(["step", "step", "step", "repeat", "fork", "get", "delete"]),
        st.integers(0, 3),
        st.integers(0, len(ACTIONS) - 1),
    ),
    min_size=4,
    max_size=24,
)


@settings(max_examples=40)
@given(plays=PLAYS)
def test_interleaved_episodes_are_the_same_with_a_short_memory(plays: list[tuple[str, int, int]]) -> None:
    author, _ = adder()
    ids = {"adder-v0": type(author), "dice-v0": Dice}
    for id, cls in ids.items():
        envhub.register(id, cls)
    try:
        assert _play(plays, max_live=1) == _play(plays, max_live=1000)
    finally:
        for id in ids:
            del registry._registered[id], registry._classes[id]


def _play(plays: list[tuple[str, int, int]], max_live: int) -> list[Any]:
    api = Api(max_live=max_live)
    try:
        names = [api.create(id, f"e{n}", seed=n) for n, id in enumerate(["adder-v0", "dice-v0", GUESS, "adder-v0"])]
        heads = [opening["episode_id"] for opening in names]
        turns: dict[str, int] = dict.fromkeys(heads, 0)
        answers: list[Any] = [*names]
        for number, (kind, which, action) in enumerate(plays):
            head = heads[which]
            path = f"/v1/episodes/{head}"
            if kind == "fork":
                new = f"{head}-{number}"
                response = api.post(f"{path}/fork", {"episode_id": new, "chance": action, "turn": turns[head] // 2})
                if response.status_code == 201:
                    heads[which], turns[new] = new, response.json()["turn"]
            elif kind == "get":
                response = api.get(path)
            elif kind == "delete" and number % 3 == 0:
                response = api.send("DELETE", path)
            else:
                turn = turns[head] - (kind == "repeat" and turns[head] > 0)
                response = api.try_step(turn, ACTIONS[action], head)
                if response.status_code == 200:
                    turns[head] = response.json()["turn"]
            answers.append((response.status_code, response.content))
        return answers
    finally:
        api.close()


def test_many_episodes_at_once_with_a_short_memory(make_api: MakeApi, register: Register) -> None:
    register("dice-v0", Dice)

    def play(max_live: int) -> list[bytes]:
        api = make_api(max_live=max_live)

        async def one(n: int) -> bytes:
            await api.asend("POST", "/v1/episodes", {"env_id": "dice-v0", "episode_id": f"e{n}", "seed": n})
            for turn in range(3):
                body = {"turn": turn, "action": "5"}
                await asyncio.gather(*(api.asend("POST", f"/v1/episodes/e{n}/step", body) for _ in range(2)))
            return (await api.asend("GET", f"/v1/episodes/e{n}")).content

        async def all_of_them() -> list[bytes]:
            return await asyncio.gather(*(one(n) for n in range(12)))

        return api.run(all_of_them())

    assert play(1) == play(1000)


class Bell(Resource):
    """Every effect waits until the bell rings; counts them."""

    def __init__(self, restore: Any) -> None:
        super().__init__(restore)
        self.rung = asyncio.Event()
        self.performed: list[Any] = []

    def open(self, problem: Any, token: Any = None) -> Live:
        return _Waiting(self)


class _Waiting(Live):
    def __init__(self, bell: Bell) -> None:
        self._bell = bell

    def perform(self, effect: Effect) -> Outcome:
        raise NotImplementedError

    async def aperform(self, effect: Effect) -> Outcome:
        self._bell.performed.append(effect.payload)
        await self._bell.rung.wait()
        return Outcome(f"heard {effect.payload}")


def _bells(restore: Any = "replay") -> tuple[type[Adder], Bell]:
    bell = Bell(restore)
    return type("Bells", (Adder,), {"resources": {"tally": bell}}), bell


async def _settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def _begin(service: Episodes, env_id: str, *ids: str) -> None:
    for id in ids:
        given: dict[str, Any] = {"env_id": env_id, "difficulty": 3, "split": "train", "seed": 1}
        await service.create(request=given, episode_id=id, params={}, options={}, chance=0, **given)


def test_leaving_memory_never_lets_one_turn_be_taken_twice(register: Register) -> None:
    """Somebody waits for the episode's lock when its holder lets go; just then another episode needs the room."""
    bells, bell = _bells()
    register("bells-v0", bells)

    async def scenario() -> None:
        service = Episodes(MemoryJournal(60, 100, lambda: 0.0), max_live=1)
        await _begin(service, "bells-v0", "b", "c", "a")
        first = asyncio.create_task(service.step("a", 0, ADD_3))
        while not bell.performed:
            await asyncio.sleep(0)
        waiting = asyncio.create_task(service.step("a", 1, ADD_4))
        await _settle()
        bell.rung.set()
        other = asyncio.create_task(service.step("c", 0, write_call("echo", text="hi")))
        bell.rung = asyncio.Event()
        while not first.done():
            await asyncio.sleep(0)
        await other
        again = asyncio.create_task(service.step("a", 1, ADD_4))
        await _settle()
        bell.rung.set()
        assert await waiting == await again
        assert (await service.get("a"))["turn"] == 2
        service.close()

    asyncio.run(patiently(scenario()))
    assert bell.performed.count(4) == 1


def test_what_is_in_use_stays_in_memory(register: Register) -> None:
    """Its resource cannot come back, so letting it go would lose the episode."""
    bells, bell = _bells("none")
    register("bells-v0", bells)

    async def scenario() -> None:
        service = Episodes(MemoryJournal(60, 100, lambda: 0.0), max_live=1)
        await _begin(service, "bells-v0", "b", "c", "a")
        busy = asyncio.create_task(service.step("a", 0, ADD_3))
        while not bell.performed:
            await asyncio.sleep(0)
        for id in "bc":
            await service.step(id, 0, write_call("echo", text="hi"))
        bell.rung.set()
        assert (await busy)["observation"] == "heard 3"
        assert (await service.step("a", 1, ADD_4))["observation"] == "heard 4"
        service.close()

    asyncio.run(patiently(scenario()))


def test_memory_shrinks_again_after_many_were_busy_at_once(register: Register) -> None:
    bells, bell = _bells()
    register("bells-v0", bells)

    async def scenario() -> int:
        service = Episodes(MemoryJournal(60, 100, lambda: 0.0), max_live=2)
        ids = [f"e{n}" for n in range(10)]
        await _begin(service, "bells-v0", *ids)
        busy = [asyncio.create_task(service.step(id, 0, ADD_3)) for id in ids]
        while len(bell.performed) < len(ids):
            await asyncio.sleep(0)
        bell.rung.set()
        await asyncio.gather(*busy)
        await service.get("e0")
        live = len(service._live)
        service.close()
        return live

    assert asyncio.run(patiently(scenario())) <= 2


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_full_server_says_when_to_come_again(make_api: MakeApi) -> None:
    api = make_api(max_episodes=2)
    api.create("arithmetic-v0", "a", seed=1)
    api.create(GUESS, "b", seed=1)
    refused = api.post("/v1/episodes", {"env_id": GUESS, "episode_id": "c", "seed": 1})
    assert problem(refused)[:2] == (429, "TooBusy")
    assert int(refused.headers["retry-after"]) > 0
    assert problem(api.post("/v1/episodes/b/fork", {"episode_id": "c"}))[:2] == (429, "TooBusy")
    api.step(0, "<answer>1</answer>", "a")  # over, so it makes room
    api.create(GUESS, "c", seed=1)
    assert problem(api.get("/v1/episodes/a"))[:2] == (404, "UnknownEpisode")
    assert api.look("b")["turn"] == 0


def test_a_fork_that_is_over_makes_room(make_api: MakeApi) -> None:
    api = make_api(max_episodes=3)
    api.create("arithmetic-v0", "a", seed=1)
    api.step(0, "<answer>1</answer>", "a")
    api.fork("a", "b")
    api.fork("a", "c")
    for n in range(3):
        api.create(GUESS, f"new-{n}", seed=1)


def test_an_idle_episode_expires_and_gives_back_what_it_held(make_api: MakeApi, register: Register) -> None:
    now = [0.0]
    author, tally = adder()
    register("adder-v0", type(author))
    api = make_api(MemoryJournal(10, 100, lambda: now[0]))
    api.create("adder-v0", "e", seed=1)
    api.step(0, ADD_3)
    now[0] = 10.0
    assert api.step(1, ADD_4)["observation"] == "total 7"  # in time, and used again
    now[0] = 20.0
    assert api.look()["turn"] == 2
    now[0] = 30.1
    api.create("adder-v0", "f", seed=1)
    assert tally.closed == 1
    assert problem(api.get("/v1/episodes/e"))[1] == "UnknownEpisode"
    assert api.create("adder-v0", "e", seed=2)["turn"] == 0  # the id is free again

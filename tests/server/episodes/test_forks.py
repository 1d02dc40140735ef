"""Forking over HTTP, and episodes that could not be judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from envhub.authoring import write_call
from tests.server.serving import ADD_3, ADD_4, GUESS, LOOK, Api, local, problem
from tests.support.toys import SECRET, Dice, adder

MakeApi = Callable[..., Api]
Register = Callable[..., str]


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
        ("e", {"episode_id": "f", "turn_seed": 1}),
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
    assert roll("named", turn=1, turn_seed=0) == same
    assert roll("other", turn=1, turn_seed=1) != same
    assert roll("again", turn=1, turn_seed=1) == api.look("other")["steps"][-1]["observation"]
    assert roll("anew", turn=0, turn_seed=1) != roll("old", turn=0)

    api.create("dice-v0", "lucky", seed=1, turn_seed=1)
    fork = api.fork("lucky", "lucky-too")  # null keeps the luck there is
    assert api.step(0, "5", "lucky-too")["observation"] == api.step(0, "5", "lucky")["observation"]
    assert fork["turn"] == 0
    fork_of_fork = api.fork("other", "grandchild", turn=1)
    assert api.step(1, "5", "grandchild")["observation"] == api.look("other")["steps"][-1]["observation"]
    assert fork_of_fork["turn"] == 1


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_fork_has_a_resource_of_its_own(make_api: MakeApi, register: Register, restore: Any, turn: int) -> None:
    environment, tally = adder(restore)
    api = make_api()
    api.create(register("adder-v0", type(environment)), "e", seed=1)
    api.step(0, ADD_3)
    api.step(1, ADD_4)
    performed = list(tally.performed)
    api.fork("e", "f", turn=turn)
    assert tally.performed == performed  # folding performs nothing
    total = [0, 3, 7][turn]
    assert api.step(turn, ADD_3, "f")["observation"] == f"total {total + 3}"
    assert api.step(2, LOOK)["observation"] == "total 7"


def test_a_resource_that_cannot_come_back_refuses_the_fork(api: Api, register: Register) -> None:
    environment, _ = adder("none")
    api.create(register("adder-v0", type(environment)), seed=1)
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
    environment, tally = adder()
    register("adder-v0", type(environment))
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

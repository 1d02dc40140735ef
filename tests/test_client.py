"""The client: far away it is the same environment, and what the network loses changes nothing."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import httpx
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings, strategies as st

import envhub
from envhub import registry
from envhub.author import Environment, write_call
from envhub.client import AsyncHub, Gold, Hub, RemoteEnv
from envhub.errors import (
    Conflict,
    EnvhubError,
    EpisodeOver,
    ForkRefused,
    InvalidAction,
    InvalidParameters,
    JudgementError,
    RemoteError,
    TooBusy,
    UnknownEnvironment,
    UnknownEpisode,
)
from envhub.seeding import Stream
from envhub.server.app import create_app
from envhub.settings import ServerSettings
from tests.server.serving import PATIENCE_S, serving
from tests.toys import SECRET, Dice, Sum, adder

Register = Callable[[str, type[Environment]], str]
GUESS = "guess-number-v0"
ADD_3, ADD_4 = write_call("add", amount=3), write_call("add", amount=4)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings())) as address:
        yield address


@pytest.fixture(scope="module")
def hub(url: str) -> Iterator[Hub]:
    with envhub.connect(url) as hub:
        yield hub


@pytest.fixture
def register() -> Iterator[Register]:
    added: list[str] = []

    def add(id: str, cls: type[Environment]) -> str:
        envhub.register(id, cls)
        added.append(id)
        return id

    yield add
    for id in added:
        del registry._registered[id], registry._classes[id]


def same(here: Any, there: Any) -> bool:
    """Equal, and NaN where the other is NaN."""
    if isinstance(here, float) and math.isnan(here):
        return isinstance(there, float) and math.isnan(there)
    if isinstance(here, (tuple, list)):
        return type(here) is type(there) and len(here) == len(there) and all(map(same, here, there))
    return type(here) is type(there) and bool(here == there)


def play_both(local: envhub.Env, remote: RemoteEnv, act: Callable[[envhub.Env, int], str]) -> None:
    """Whole episodes side by side."""
    over, turn = False, 0
    while not over:
        action = act(local, turn)
        here, there = local.step(action), remote.step(action)
        assert same(here, there), (here, there)
        over, turn = here[2] or here[3], turn + 1
    with pytest.raises(EpisodeOver) as at_home:
        local.step("")
    with pytest.raises(EpisodeOver) as away:
        remote.step("")
    assert str(at_home.value) == str(away.value)


def raised(act: Callable[[], Any]) -> tuple[type[BaseException], str]:
    with pytest.raises(EnvhubError) as caught:
        act()
    return type(caught.value), str(caught.value)


# -- the same environment ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("difficulty", [1, 6, 10])
def test_the_oracle_sees_the_same_five_tuples(hub: Hub, env_id: str, difficulty: int) -> None:
    settings: dict[str, Any] = {"difficulty": difficulty, "split": "test", "reward": {"accuracy": 1.0, "format": 0.5}}
    local, remote = envhub.make(env_id, **settings), hub.make(env_id, **settings)
    assert same(local.reset(seed=7), remote.reset(seed=7))
    assert local.task == remote.task
    assert local.action_space == remote.action_space
    assert local.observation_space == remote.observation_space
    play_both(local, remote, lambda env, turn: env.solve())
    assert local.messages == remote.messages
    assert local.render() == remote.render()
    assert local.snapshot() == remote.snapshot()
    remote.close()


def test_a_random_policy_sees_the_same_five_tuples(hub: Hub, env_id: str) -> None:
    local, remote = envhub.make(env_id), hub.make(env_id)
    rng = Stream(b"random policy")
    for seed in range(5):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        play_both(local, remote, lambda env, turn: env.random_action(rng))
        remote.close()


TEXTS = (
    st.text(max_size=30) | st.from_regex(r"<answer>[ 0-9+*().-]{0,12}</answer>") | st.text(st.characters(), max_size=5)
)


@settings(max_examples=12)
@given(seed=st.integers(0, 2**63 - 1), actions=st.lists(TEXTS, min_size=1, max_size=4), chance=st.integers(0, 3))
def test_any_text_gets_the_same_five_tuple(url: str, env_id: str, seed: int, actions: list[str], chance: int) -> None:
    with envhub.connect(url) as hub:
        local, remote = envhub.make(env_id), hub.make(env_id)
        options = {"chance": chance}
        assert same(local.reset(seed=seed, options=options), remote.reset(seed=seed, options=options))
        play_both(local, remote, lambda env, turn: actions[turn % len(actions)])
        assert local.snapshot() == remote.snapshot()
        remote.close()


@pytest.mark.parametrize(
    "action", ["\ud800", "<answer>5\udfff</answer>", "\x00", "x" * 70_000, "\N{SNOWMAN}"], ids=ascii
)
def test_text_that_is_hard_to_send(hub: Hub, action: str) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step(action), remote.step(action))
    assert local.messages == remote.messages
    assert local.snapshot() == remote.snapshot()


def test_text_without_utf_8_is_verified_or_refused_in_words(hub: Hub) -> None:
    (task,) = hub.tasks(GUESS, [1])
    (verdicts,) = hub.verify([(task, ["\ud800", ["\udfff 5"]])])
    assert [v["status"] for v in verdicts] == [envhub.verify(task, text).status for text in ("\ud800", ["\udfff 5"])]
    with pytest.raises(InvalidParameters, match="system"):
        hub.make(GUESS, system="\ud800").reset(seed=1)


@pytest.mark.parametrize("id", ["countdown-v0", "maze-v0"])
def test_an_environment_begins_at_a_task(hub: Hub, url: str, id: str) -> None:
    task = next(envhub.TaskStream(id, seed=7, difficulty=(2, 5), answer_format="boxed"))
    here, there = envhub.begin(task, answer_format="boxed"), hub.begin(task, answer_format="boxed")
    assert there.task.key == here.task.key == task.key
    assert there.task.prompt == task.prompt
    assert there.step(here.solve())[1:] == here.fork().step(here.solve())[1:]

    async def far_away() -> Any:
        async with envhub.aconnect(url) as asynchronous:
            env = await asynchronous.begin(task.key, answer_format="boxed")
            return env.task.prompt, await env.step(here.solve())

    prompt, step = asyncio.run(far_away())
    assert (prompt, step[1:]) == (task.prompt, here.step(here.solve())[1:])
    with pytest.raises(UnknownEnvironment, match="countdown-v9"):
        hub.begin(dataclasses.replace(task.key, env_id="countdown-v9"))


def test_resets_follow_the_same_sequence(hub: Hub) -> None:
    local, remote = envhub.make("arithmetic-v0"), hub.make("arithmetic-v0")
    for seed in (3, None, None, 2**63 - 1, None, 3, None):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        assert local.task == remote.task
    one, two = hub.make(GUESS), hub.make(GUESS)
    one.reset()
    two.reset()
    assert one.task.seed != two.task.seed


def test_a_range_of_difficulties_and_wording(hub: Hub) -> None:
    settings: dict[str, Any] = {"difficulty": (2, 9), "answer_format": "boxed", "system": "Be brief."}
    local, remote = envhub.make("arithmetic-v0", **settings), hub.make("arithmetic-v0", **settings)
    for seed in range(5):
        assert same(local.reset(seed=seed), remote.reset(seed=seed))
        assert local.messages == remote.messages
    local, remote = (make("arithmetic-v0", terms=7, nesting=1) for make in (envhub.make, hub.make))
    assert same(local.reset(seed=1), remote.reset(seed=1))
    assert remote.task.difficulty is None


def test_gymnasium_takes_it_for_an_environment(hub: Hub, env_id: str) -> None:
    env = hub.make(env_id)
    assert isinstance(env, gymnasium.Env)
    check_env(env, skip_render_check=True)
    env.close()
    env.close()


def test_luck(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    seen = []
    for chance in (0, 1, 0):
        assert same(local.reset(seed=1, options={"chance": chance}), remote.reset(seed=1, options={"chance": chance}))
        here, there = local.step("5"), remote.step("5")
        assert same(here, there)
        seen.append(there[0])
    assert seen[0] == seen[2] != seen[1]


def test_limits_are_those_of_the_environment(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    for away in (remote, remote.fork()):
        assert away.action_space == local.action_space
        assert away.observation_space == local.observation_space
    for action in ("9" * 101, "5000"):
        assert same(local.step(action), remote.step(action))


# -- snapshot, fork, verify, tasks, catalogue --------------------------------------------------------------------------


def test_a_remote_snapshot_goes_on_locally(hub: Hub, env_id: str) -> None:
    remote = hub.make(env_id, difficulty=6, answer_format="boxed")
    remote.reset(seed=3, options={"chance": 2})
    local = envhub.restore(json.loads(json.dumps(remote.snapshot())))
    if local.author.max_turns > 1:
        remote.step("no answer")
        local = envhub.restore(remote.snapshot())
    assert local.task == remote.task
    assert local.messages == remote.messages
    play_both(local, remote, lambda env, turn: env.solve())
    assert local.snapshot() == remote.snapshot()


def test_a_fork_goes_its_own_way(hub: Hub, register: Register) -> None:
    register("dice-v0", Dice)
    local, remote = envhub.make("dice-v0"), hub.make("dice-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step("5"), remote.step("5"))
    for chance in (None, 0, 9):
        here, there = local.fork(chance), remote.fork(chance)
        assert here.messages == there.messages
        assert here.task == there.task
        play_both(here, there, lambda env, turn: "5")
        there.close()
    play_both(local, remote, lambda env, turn: "0")
    assert same(local.fork().messages, remote.fork().messages)
    assert raised(lambda: remote.fork().step("5"))[0] is EpisodeOver


def test_a_fork_that_is_refused(hub: Hub, register: Register) -> None:
    author, _ = adder("none")
    register("adder-v0", type(author))
    local, remote = envhub.make("adder-v0"), hub.make("adder-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    assert same(local.step(ADD_3), remote.step(ADD_3))
    assert raised(remote.fork) == raised(local.fork)
    assert raised(remote.fork)[0] is ForkRefused


def test_verdicts_against_gold_answers(hub: Hub) -> None:
    golds = [(Gold("42"), ["<answer>42.0</answer>", "no idea"]), (Gold("(3, 5]", "interval"), ["\\boxed{3 < x <= 5}"])]
    of_set = (Gold("{1, 2}", "set", {"of": "integer"}), ["<answer>{2, 1}</answer>", "<answer>{2}</answer>"])
    task = envhub.make("arithmetic-v0")
    task.reset(seed=1)
    verdicts = hub.verify([*golds, of_set, (task.task, [task.solve()])], reward={"accuracy": 1.0, "format": 0.5})
    assert [[verdict["reward"] for verdict in one] for one in verdicts] == [[1.5, 0.0], [1.0], [1.5, 0.5], [1.5]]
    with pytest.raises(InvalidParameters, match="'x y' cannot be read as interval"):
        hub.verify([(Gold("x y", "interval"), ["1"])])

    async def there() -> list[list[Any]]:
        async with envhub.aconnect(str(hub._http.base_url)) as other:
            return await other.verify(golds)

    assert [[verdict["solved"] for verdict in one] for one in asyncio.run(there())] == [[True, False], [True]]


def test_verdicts_and_tasks(hub: Hub, env_id: str) -> None:
    tasks = hub.tasks(env_id, [5, 6], difficulty=2, split="validation", answer_format="last")
    local = envhub.make(env_id, difficulty=2, split="validation", answer_format="last")
    for seed, task in zip((5, 6), tasks, strict=True):
        local.reset(seed=seed)
        assert local.task == task
    responses = [local.solve(), "", ["nothing", "<answer>1</answer>"]]
    found = hub.verify([(task, responses) for task in tasks] + [(tasks[0].key, responses)], reward={"accuracy": 3.0})
    assert found[0] == found[2]
    for task, verdicts in zip(tasks, found, strict=False):
        expected = [envhub.verify(task, response) for response in responses]
        assert verdicts == [{**v.to_json(), "reward": 3.0 * (v.score or 0)} for v in expected]


def test_the_catalogue(hub: Hub) -> None:
    assert hub.list_envs() == envhub.list_envs()
    assert hub.list_envs("games") == envhub.list_envs("games")
    assert hub.info(GUESS)["max_turns"] == 64
    assert raised(lambda: hub.list_envs("gamse")) == raised(lambda: envhub.list_envs("gamse"))
    assert raised(lambda: hub.info("sudko-v0")) == raised(lambda: envhub.spec("sudko-v0"))


def test_integers_of_any_size_travel_exactly(hub: Hub, register: Register) -> None:
    register("sum-v0", Sum)
    local, remote = envhub.make("sum-v0", digits=30), hub.make("sum-v0", digits=30)
    local.reset(seed=1)
    remote.reset(seed=1)
    assert local.task == remote.task
    assert hub.verify([(remote.task, [local.solve()])])[0][0]["score"] == 1.0


# -- errors ------------------------------------------------------------------------------------------------------------

MISFITS: list[tuple[str, dict[str, Any]]] = [
    ("sudko-v0", {}),
    ("", {}),
    (GUESS, {"difficulty": 0}),
    (GUESS, {"difficulty": 11}),
    (GUESS, {"difficulty": True}),
    (GUESS, {"difficulty": 2.5}),
    (GUESS, {"difficulty": "3"}),
    (GUESS, {"difficulty": [6, 2]}),
    (GUESS, {"split": "tset"}),
    (GUESS, {"hgh": 5}),
    (GUESS, {"high": "5"}),
    (GUESS, {"high": 0}),
    (GUESS, {"high": math.nan}),
    (GUESS, {"answer_format": "bxed"}),
    (GUESS, {"reward": {"accuracy": math.inf}}),
    (GUESS, {"reward": {"accuracy": "1"}}),
    (GUESS, {"system": 7}),
    (GUESS, {"on_error": "rais"}),
]


@pytest.mark.parametrize(("id", "settings"), MISFITS, ids=[f"{i}-{s}" for i, s in MISFITS])
def test_what_does_not_fit_is_the_same_error(hub: Hub, id: str, settings: dict[str, Any]) -> None:
    at_home, away = raised(lambda: envhub.make(id, **settings)), raised(lambda: hub.make(id, **settings))
    assert away == at_home
    assert away[0] in (UnknownEnvironment, InvalidParameters)


@pytest.mark.parametrize(
    "call",
    [
        {"seed": -1},
        {"seed": 2**63},
        {"seed": 1.5},
        {"seed": "1"},
        {"seed": True},
        {"seed": 1, "options": {"chnce": 1}},
        {"seed": 1, "options": {"chance": -1}},
        {"seed": 1, "options": {"chance": "1"}},
    ],
    ids=str,
)
def test_a_reset_that_does_not_fit_is_the_same_error(hub: Hub, call: dict[str, Any]) -> None:
    assert raised(lambda: hub.make(GUESS).reset(**call)) == raised(lambda: envhub.make(GUESS).reset(**call))


def test_before_the_first_reset(hub: Hub) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    for name in ("step", "snapshot", "fork"):
        arguments = ("x",) if name == "step" else ()
        assert raised(lambda n=name, a=arguments: getattr(remote, n)(*a)) == raised(  # type: ignore[misc]
            lambda n=name, a=arguments: getattr(local, n)(*a)  # type: ignore[misc]
        )
    assert raised(lambda: remote.task) == raised(lambda: local.task)
    remote.close()


def test_an_action_is_text(hub: Hub) -> None:
    local, remote = envhub.make(GUESS), hub.make(GUESS)
    local.reset(seed=1)
    remote.reset(seed=1)
    for action in (5, None, b"5", ["5"]):
        found = raised(lambda a=action: remote.step(a))  # type: ignore[misc]
        assert found == raised(lambda a=action: local.step(a))  # type: ignore[misc]
        assert found[0] is InvalidAction
    assert same(local.step("<answer>5</answer>"), remote.step("<answer>5</answer>"))


def test_a_callable_reward_cannot_travel(hub: Hub) -> None:
    with pytest.raises(InvalidParameters, match="mapping of weights"):
        hub.make(GUESS, reward=lambda verdict: 1.0)


def test_a_setting_that_is_no_json(hub: Hub) -> None:
    with pytest.raises(InvalidParameters, match="JSON"):
        hub.make(GUESS, high=object())
    with pytest.raises(InvalidParameters):
        hub.make(GUESS, difficulty=type("Curriculum", (), {"pick": lambda self, rng: 3})())


def test_an_episode_the_server_has_forgotten(hub: Hub) -> None:
    env = hub.make(GUESS)
    env.reset(seed=1)
    assert env._held is not None
    hub.call(env._held.delete())
    with pytest.raises(UnknownEpisode, match="it may have expired"):
        env.step("1")
    env.close()


def test_somebody_else_has_taken_the_turn(hub: Hub) -> None:
    env = hub.make(GUESS)
    env.reset(seed=1)
    assert env._held is not None
    hub.call(env._held.step("<answer>1</answer>"))
    with pytest.raises(Conflict, match="was taken with another action"):
        env.step("<answer>2</answer>")


@pytest.mark.parametrize("action", [write_call("explode"), write_call("ask", payload="fail")], ids=["explode", "fail"])
def test_what_could_not_be_judged(hub: Hub, register: Register, action: str) -> None:
    author, _ = adder()
    register("adder-v0", type(author))
    local, remote = envhub.make("adder-v0"), hub.make("adder-v0")
    local.reset(seed=1)
    remote.reset(seed=1)
    here, there = local.step(action), remote.step(action)
    assert same(here, there)
    assert math.isnan(there[1])
    assert there[3]
    assert str(SECRET) not in str(there)

    local, remote = (make("adder-v0", on_error="raise") for make in (envhub.make, hub.make))
    local.reset(seed=1)
    remote.reset(seed=1)
    found = raised(lambda: remote.step(action))
    assert found == raised(lambda: local.step(action))
    assert found[0] is JudgementError
    assert raised(lambda: remote.step(action)) == raised(lambda: local.step(action))
    assert raised(lambda: remote.step(action))[0] is EpisodeOver


def test_a_task_that_cannot_be_rebuilt(hub: Hub) -> None:
    (task,) = hub.tasks(GUESS, [1])
    forged = type(task.key)("gess-number-v0", task.key.params, "train", 1)
    assert raised(lambda: hub.verify([(forged, ["x"])])) == raised(lambda: envhub.verify(forged, "x"))


# -- the network -------------------------------------------------------------------------------------------------------


class Flaky(httpx.BaseTransport):
    """Loses answers after the server has acted (``lost``) or requests before it sees them (``unsent``)."""

    def __init__(self, lost: int = 0, unsent: int = 0) -> None:
        self.lost, self.unsent = lost, unsent
        self.sent: list[str] = []
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.unsent:
            self.unsent -= 1
            raise httpx.ConnectError("no route")
        response = self._inner.handle_request(request)
        response.read()
        self.sent.append(f"{request.method} {request.url.path.rpartition('/')[2]}")
        if self.lost:
            self.lost -= 1
            response.close()
            raise httpx.ReadError("the line is dead")
        return response

    def close(self) -> None:
        self._inner.close()


def flaky_hub(url: str, transport: httpx.BaseTransport, waits: list[float], retries: int = 4) -> Hub:
    return Hub(url, transport=transport, sleep=waits.append, retries=retries)


def test_a_lost_answer_advances_the_state_once(url: str, register: Register) -> None:
    author, tally = adder()
    register("adder-v0", type(author))
    waits: list[float] = []
    transport = Flaky()
    with flaky_hub(url, transport, waits) as hub:
        env = hub.make("adder-v0")
        transport.lost = 1
        env.reset(seed=1)
        transport.lost = 3
        assert env.step(ADD_3)[0] == "total 3"
        transport.lost, transport.unsent = 1, 2
        assert env.step(ADD_4)[0] == "total 7"
        assert tally.performed == [3, 4]
        transport.lost = 1
        twin = env.fork()
        transport.lost = 2
        assert twin.step(ADD_4)[0] == "total 11"
        assert env.step(ADD_4)[0] == "total 11"
        assert len(env.snapshot()["journal"]) == 3
        transport.lost = 1
        env.close()  # the second request finds nothing to delete, which is what was wanted
        assert transport.sent[-2:] == transport.sent[-1:] * 2
        twin.close()
    assert waits == [0.1, 0.1, 0.2, 0.4, 0.1, 0.2, 0.4, 0.1, 0.1, 0.2, 0.1]


def test_waits_grow_and_end(url: str) -> None:
    waits: list[float] = []
    transport = Flaky(lost=100)
    with flaky_hub(url, transport, waits, retries=8) as hub, pytest.raises(RemoteError, match="cannot be reached"):
        hub.list_envs()
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert len(transport.sent) == 9
    with flaky_hub(url, Flaky(lost=1), waits, retries=0) as hub, pytest.raises(RemoteError, match="the line is dead"):
        hub.list_envs()
    assert len(waits) == 8


def test_an_error_is_not_tried_again(url: str) -> None:
    waits: list[float] = []
    transport = Flaky()
    with flaky_hub(url, transport, waits) as hub:
        raised(lambda: hub.make("sudko-v0"))
        raised(lambda: hub.make(GUESS, hihg=11))
    assert (len(transport.sent), waits) == (2, [])


def test_after_it_gave_up_the_same_step_can_be_taken_again(url: str, register: Register) -> None:
    author, tally = adder()
    register("adder-v0", type(author))
    transport = Flaky()
    with flaky_hub(url, transport, [], retries=1) as hub:
        env = hub.make("adder-v0")
        env.reset(seed=1)
        transport.lost = 2
        with pytest.raises(RemoteError):
            env.step(ADD_3)
        assert env.step(ADD_3)[0] == "total 3"
        assert tally.performed == [3]


def answering(*responses: httpx.Response) -> httpx.MockTransport:
    """Gives these answers in turn, the last one for ever."""
    left = list(responses)

    def answer(request: httpx.Request) -> httpx.Response:
        return left.pop(0) if len(left) > 1 else left[0]

    return httpx.MockTransport(answer)


def busy(after: int) -> httpx.Response:
    body = {"type": "/problems/TooBusy", "title": "Too busy", "status": 429, "code": "TooBusy", "detail": "Full."}
    return httpx.Response(429, json=body, headers={"Retry-After": str(after)})


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    waits: list[float] = []
    transport = answering(busy(7), busy(2), httpx.Response(200, json={"environments": [{"id": "x-v0"}]}))
    with flaky_hub("http://hub", transport, waits) as hub:
        assert hub.list_envs() == ["x-v0"]
    assert waits == [7.0, 2.0]

    waits.clear()
    with flaky_hub("http://hub", answering(busy(3)), waits, retries=2) as hub, pytest.raises(TooBusy) as refused:
        hub.list_envs()
    assert (str(refused.value), refused.value.retry_after, waits) == ("Full.", 3, [3.0, 3.0])


def test_a_real_full_server() -> None:
    waits: list[float] = []
    with serving(create_app(ServerSettings(max_episodes=1))) as url, Hub(url, sleep=waits.append, retries=1) as hub:
        first, second = hub.make(GUESS), hub.make(GUESS)
        first.reset(seed=1)
        with pytest.raises(TooBusy, match="limit"):
            second.reset(seed=1)
        assert len(waits) == 1
        assert waits[0] > 0
        first.close()
        second.reset(seed=1)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>Welcome</html>"),
        httpx.Response(404, text="nothing here"),
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(502, text="Bad Gateway"),
        httpx.Response(500, json={"code": "InternalError", "detail": "The server failed."}),
        httpx.Response(400, json=["no", "problem"]),
        httpx.Response(400, json={"code": "nearest", "detail": "a function of the module, no error"}),
        httpx.Response(400, json={"code": ["x"], "detail": None}),
        httpx.Response(307, headers={"location": "http://elsewhere"}),
        httpx.Response(200, json={"hello": "world"}),
        httpx.Response(200, json=[1, 2]),
        httpx.Response(204),
        httpx.Response(429, text="slow down"),
    ],
    ids=lambda r: f"{r.status_code}-{r.text[:30]}",
)
def test_another_kind_of_server(response: httpx.Response) -> None:
    with flaky_hub("http://hub", answering(response), [], retries=0) as hub:
        for ask in (
            hub.list_envs,
            lambda: hub.make(GUESS).reset(seed=1),
            lambda: hub.tasks(GUESS, [1]),
            lambda: hub.verify([]),
        ):
            kind, message = raised(ask)  # type: ignore[arg-type]
            assert kind is RemoteError
            assert message


def test_nobody_is_there() -> None:
    with serving(create_app(ServerSettings())) as url:
        pass  # and now its port is free again
    waits: list[float] = []
    with Hub(url, sleep=waits.append) as hub, pytest.raises(RemoteError, match="cannot be reached: ConnectError"):
        hub.make(GUESS)
    assert waits == [0.1, 0.2, 0.4, 0.8]


# -- on an event loop --------------------------------------------------------------------------------------------------


def on_a_loop(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, PATIENCE_S))


@pytest.mark.parametrize("scheme", ["http", "ws"])
def test_the_twin_for_an_event_loop(url: str, env_id: str, scheme: str) -> None:
    async def scenario() -> None:
        async with envhub.aconnect(url.replace("http", scheme)) as hub:
            local = envhub.make(env_id, difficulty=4, split="test", system="Be brief.", reward={"format": 2.0})
            remote = await hub.make(env_id, difficulty=4, split="test", system="Be brief.", reward={"format": 2.0})
            options = {"chance": 3}
            assert same(local.reset(seed=9, options=options), await remote.reset(seed=9, options=options))
            assert local.task == remote.task
            twin = await remote.fork(chance=1)
            over = False
            while not over:
                action = local.solve()
                here = local.step(action)
                assert same(here, await remote.step(action))
                over = here[2] or here[3]
            assert await remote.messages() == local.messages
            assert await remote.snapshot() == local.snapshot()
            assert len(await twin.messages()) == 2
            with pytest.raises(EpisodeOver):
                await remote.step("x")
            await remote.close()
            await remote.close()
            await twin.close()
            assert await hub.list_envs() == envhub.list_envs()
            assert (await hub.info(env_id))["id"] == env_id
            (task,) = await hub.tasks(env_id, [9], difficulty=4, split="test")
            assert task == local.task
            assert await hub.verify([(task, [""])]) == [[{**envhub.verify(task, "").to_json(), "reward": 0.0}]]

    on_a_loop(scenario())


def test_a_hundred_episodes_at_once(url: str) -> None:
    async def episode(hub: AsyncHub, seed: int) -> list[Any]:
        env = await hub.make(GUESS, difficulty=1)
        await env.reset(seed=seed)
        seen = [await env.step(f"<answer>{guess}</answer>") for guess in (100, 50, 150)]
        await env.close()
        return seen

    def at_home(seed: int) -> list[Any]:
        env = envhub.make(GUESS, difficulty=1)
        env.reset(seed=seed)
        return [env.step(f"<answer>{guess}</answer>") for guess in (100, 50, 150)]

    async def all_of_them() -> list[list[Any]]:
        async with envhub.aconnect(url) as hub:
            return await asyncio.gather(*(episode(hub, seed) for seed in seeds))

    played = {seed: at_home(seed) for seed in range(200, 100, -1) if not _found(seed)}
    seeds = list(played)
    assert len(seeds) > 90
    assert on_a_loop(all_of_them()) == list(played.values())


def _found(seed: int) -> bool:
    """Whether one of the guesses below hits, after which there is no next."""
    env = envhub.make(GUESS, difficulty=1)
    env.reset(seed=seed)
    return any(env.episode.over or env.step(f"<answer>{guess}</answer>")[2] for guess in (100, 50))


class AsyncFlaky(httpx.AsyncBaseTransport):
    def __init__(self) -> None:
        self.lost = 0
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        await response.aread()
        if self.lost:
            self.lost -= 1
            await response.aclose()
            raise httpx.ReadError("the line is dead")
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


def test_a_lost_answer_on_an_event_loop(url: str, register: Register) -> None:
    author, tally = adder()
    register("adder-v0", type(author))
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    async def scenario() -> None:
        transport = AsyncFlaky()
        async with AsyncHub(url, transport=transport, sleep=note) as hub:
            env = await hub.make("adder-v0", on_error="raise")
            await env.reset(seed=1)
            transport.lost = 2
            assert (await env.step(ADD_3))[0] == "total 3"
            assert tally.performed == [3]
            with pytest.raises(JudgementError):
                await env.step(write_call("explode"))
            transport.lost = 1
            await env.close()
            transport.lost = 100
            with pytest.raises(RemoteError, match="cannot be reached"):
                await hub.list_envs()

    on_a_loop(scenario())
    assert waits == [0.1, 0.2, 0.1, 0.1, 0.2, 0.4, 0.8]


def test_errors_on_an_event_loop() -> None:
    async def scenario() -> None:
        async def never(seconds: float) -> None:
            raise AssertionError

        async with AsyncHub("http://hub", transport=answering(httpx.Response(200, text="hi")), sleep=never) as hub:
            with pytest.raises(RemoteError, match="Not an envhub server"):
                await hub.make(GUESS)
            with pytest.raises(InvalidParameters, match="mapping of weights"):
                await hub.make(GUESS, reward=len)

    on_a_loop(scenario())


def test_a_reset_leaves_no_unfinished_episode_behind(url: str) -> None:
    with envhub.connect(url) as hub:
        before = hub.call(("GET", "/ready", None))["episodes"]
        env = hub.make(GUESS)
        for seed in range(5):
            env.reset(seed=seed)
        assert hub.call(("GET", "/ready", None))["episodes"] == before + 1
        env.close()
        assert hub.call(("GET", "/ready", None))["episodes"] == before

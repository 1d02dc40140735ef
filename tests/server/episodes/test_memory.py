"""Memory is a cache: what leaves it goes on without a trace, and a full server says when to come again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.effects import Effect, Live, Outcome, Resource
from envhub.registry import registry
from envhub.server.episodes.service import Episodes
from envhub.server.journal import MemoryJournal
from tests.server.serving import ADD_3, ADD_4, DONE, GUESS, LOOK, Api, patiently, problem
from tests.support.toys import Adder, Dice, adder

MakeApi = Callable[..., Api]
Register = Callable[..., str]


# -- the journal is the truth ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_an_episode_out_of_memory_goes_on_without_a_trace(make_api: MakeApi, register: Register, restore: Any) -> None:
    environment, tally = adder(restore)
    register("adder-v0", type(environment))
    api = make_api(max_live=1)
    api.create("adder-v0", "e", seed=1)
    api.create("adder-v0", "f", seed=1)
    assert api.step(0, ADD_3, "e")["observation"] == "total 3"
    assert api.step(0, ADD_4, "f")["observation"] == "total 4"
    assert api.step(1, ADD_4, "e")["observation"] == "total 7"
    assert api.step(1, LOOK, "f")["observation"] == "total 4"
    assert len(tally.opened) - tally.closed <= 1  # what left memory gave its resource back


def test_a_lost_resource_is_an_error_and_no_score(make_api: MakeApi, register: Register) -> None:
    environment, _ = adder("none")
    register("adder-v0", type(environment))
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
        api.create("dice-v0", "e", seed=1, turn_seed=4)
        api.step(0, "5")
        api.fork("e", "f", turn_seed=9)
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


@settings(max_examples=24)
@given(plays=PLAYS)
def test_interleaved_episodes_are_the_same_with_a_short_memory(plays: list[tuple[str, int, int]]) -> None:
    environment, _ = adder()
    ids = {"adder-v0": type(environment), "dice-v0": Dice}
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
                response = api.post(f"{path}/fork", {"episode_id": new, "turn_seed": action, "turn": turns[head] // 2})
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
    """Every effect waits until the bell rings; counts them, and what is open."""

    def __init__(self, restore: Any) -> None:
        super().__init__(restore)
        self.rung = asyncio.Event()
        self.performed: list[Any] = []
        self.open_now = 0

    def open(self, problem: Any, token: Any = None) -> Live:
        self.open_now += 1
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

    def close(self) -> None:
        self._bell.open_now -= 1


def _bells(restore: Any = "replay") -> tuple[type[Adder], Bell]:
    bell = Bell(restore)
    return type("Bells", (Adder,), {"resources": {"tally": bell}}), bell


async def _settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def _begin(service: Episodes, env_id: str, *ids: str) -> None:
    for id in ids:
        given: dict[str, Any] = {"env_id": env_id, "difficulty": 3, "split": "train", "seed": 1}
        await service.create(request=given, episode_id=id, params={}, options={}, turn_seed=0, **given)


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

    async def scenario() -> None:
        service = Episodes(MemoryJournal(60, 100, lambda: 0.0), max_live=2)
        ids = [f"e{n}" for n in range(10)]
        await _begin(service, "bells-v0", *ids)
        busy = [asyncio.create_task(service.step(id, 0, ADD_3)) for id in ids]
        while len(bell.performed) < len(ids):
            await asyncio.sleep(0)
        assert bell.open_now == len(ids)
        bell.rung.set()
        await asyncio.gather(*busy)
        assert bell.open_now == 2
        service.close()
        assert bell.open_now == 0

    asyncio.run(patiently(scenario()))


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
    environment, tally = adder()
    register("adder-v0", type(environment))
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

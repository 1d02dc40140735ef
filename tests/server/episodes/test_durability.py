"""The journal is the truth: what is recorded, and which of two workers takes a turn."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections.abc import Callable

import httpx
import pytest

from envhub.server.journal import Entry, Header, MemoryJournal, StoredEpisode
from tests.server.serving import ADD_3, ADD_4, GUESS, Api, local, problem
from tests.support.toys import SECRET, adder

MakeApi = Callable[..., Api]
Register = Callable[..., str]


class GatedJournal:
    """A journal elsewhere: it hands out copies, and holds every turn back until it is told to go on, or to fail."""

    def __init__(self) -> None:
        self._kept = MemoryJournal(60, 100, lambda: 0.0)
        self.reached = asyncio.Event()
        self.gate = asyncio.Event()
        self.failing = False

    async def create(self, header: Header, entries: list[Entry], max_open: int | None = None) -> StoredEpisode | None:
        return _copy(await self._kept.create(header, entries, max_open))

    def append(self, header: Header, turn: int, entry: Entry) -> Future[StoredEpisode | None]:
        return asyncio.ensure_future(self._append(header, turn, entry))

    async def _append(self, header: Header, turn: int, entry: Entry) -> StoredEpisode | None:
        self.reached.set()
        await self.gate.wait()
        if self.failing:
            raise OSError(f"disk full; the secret is {SECRET}")
        return _copy(await self._kept.append(header, turn, entry))

    async def load(self, episode_id: str, *, use: bool = True) -> StoredEpisode | None:
        return _copy(await self._kept.load(episode_id, use=use))

    async def position(self, header: Header) -> tuple[int, str] | None:
        return await self._kept.position(header)

    async def delete(self, episode_id: str) -> bool:
        return await self._kept.delete(episode_id)

    async def sweep(self) -> list[str]:
        return await self._kept.sweep()

    def __len__(self) -> int:
        return len(self._kept)


def _copy(stored: StoredEpisode | None) -> StoredEpisode | None:
    return None if stored is None else StoredEpisode(stored.header, list(stored.entries))


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
    environment, tally = adder("none")
    register("adder-v0", type(environment))
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

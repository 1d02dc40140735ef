"""Workers over one journal: exactly once, whoever takes the turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envhub.authoring import write_call
from envhub.server.journal import Journal, StoredEpisode
from tests.server.journal.kinds import TTL, Clock, Open
from tests.server.journal.workers import Counting, MakeApi, Register, Watched, in_a_file, shared
from tests.server.serving import ADD_3, ADD_4, GUESS, LOOK, Api, local, problem
from tests.support.toys import Adder, adder


@pytest.fixture
def workers(open_journal: Open, make_api: MakeApi, kind: str) -> list[Api]:
    """Two workers of one server."""
    return [make_api(open_journal()) for _ in range(2)]


@shared
def test_any_worker_takes_up_any_episode(workers: list[Api]) -> None:
    env = local(GUESS, 1)
    opening = workers[0].create(GUESS, seed=1)
    for turn in range(6):
        here, there = workers[turn % 2], workers[1 - turn % 2]
        action = env.solve()
        answer = here.step(turn, action)
        assert answer["observation"] == env.step(action)[0]
        assert there.step(turn, action) == answer
        assert problem(there.try_step(turn, "<answer>0</answer>"))[1] == "Conflict"
        assert problem(there.try_step(turn + 2, action))[1] == "Conflict"
    assert workers[0].look() == workers[1].look()
    assert workers[1].create(GUESS, seed=1) == opening
    assert workers[1].fork("e", "f")["turn"] == 6
    assert workers[0].look("f")["steps"] == [{**step, "episode_id": "f"} for step in workers[0].look()["steps"]]


@shared
@pytest.mark.parametrize("same", [True, False])
def test_of_two_workers_that_take_the_same_turn_one_wins(workers: list[Api], same: bool) -> None:
    one, two = workers
    one.create(GUESS, seed=1)
    two.look()

    async def race(turn: int) -> list[Any]:
        bodies = [{"turn": turn, "action": f"<answer>{1 if same else n}</answer>"} for n in (1, 2)]
        calls = [
            worker.asend("POST", "/v1/episodes/e/step", body) for worker, body in zip(workers, bodies, strict=True)
        ]
        return await asyncio.gather(*calls)

    for turn in range(3):
        answers = one.run(race(turn))
        assert sorted(a.status_code for a in answers) == ([200, 200] if same else [200, 409])
        if same:
            assert answers[0].content == answers[1].content
    assert one.look() == two.look()
    assert one.look()["turn"] == 3


@in_a_file
def test_a_restarted_server_goes_on(open_journal: Open, make_api: MakeApi) -> None:
    first = open_journal()
    before = make_api(first)
    opening, answer = before.create(GUESS, seed=1), before.step(0, "<answer>1</answer>")
    first.close()
    after = make_api(open_journal())
    assert after.create(GUESS, seed=1) == opening
    assert after.step(0, "<answer>1</answer>") == answer
    env = local(GUESS, 1)
    env.step("<answer>1</answer>")
    assert after.step(1, "<answer>2</answer>")["observation"] == env.step("<answer>2</answer>")[0]


@shared
@pytest.mark.parametrize("over", [False, True])
def test_an_id_that_another_worker_gave_to_another_episode(workers: list[Api], over: bool) -> None:
    """What the first worker holds is as far, or over; it is of an episode that is gone."""
    one, two = workers
    old, new = local(GUESS, 1), local(GUESS, 2)
    one.create(GUESS, seed=1)
    first = old.solve() if over else "<answer>0</answer>"
    while not over and one.look()["turn"] < 1:
        one.step(0, first)
    while over and not one.look()["over"]:
        one.step(one.look()["turn"], old.solve())
        old.step(old.solve())
    turn = one.look()["turn"]
    assert two.send("DELETE", "/v1/episodes/e").status_code == 204
    two.create(GUESS, seed=2)
    for number in range(turn):
        assert two.step(number, "<answer>0</answer>")["observation"] == new.step("<answer>0</answer>")[0]
    assert one.step(turn, "<answer>1</answer>")["observation"] == new.step("<answer>1</answer>")[0]
    assert one.look() == two.look()


def test_a_turn_asks_the_journal_nothing_beforehand(open_journal: Open, make_api: MakeApi) -> None:
    watched = Watched(open_journal())
    api = make_api(watched)
    api.create(GUESS, seed=1)
    watched.asked.clear()
    for turn in range(4):
        api.step(turn, "<answer>0</answer>")
    assert watched.asked == ["append"] * 4
    api.fork("e", "f")
    watched.asked.clear()
    api.step(4, "<answer>0</answer>", "f")
    assert watched.asked == ["append"]


@shared
def test_effects_are_not_performed_for_a_turn_that_was_taken_elsewhere(workers: list[Api], register: Register) -> None:
    counting = Counting()
    register("counting-v0", type("Counted", (Adder,), {"resources": {"tally": counting}}))
    one, two = workers
    one.create("counting-v0", seed=1)
    one.look()
    answer = two.step(0, ADD_3)
    assert counting.done == [3]
    assert one.step(0, ADD_3) == answer
    assert counting.done == [3]
    one.step(1, ADD_4)
    assert counting.done.count(4) == 1


@shared
def test_what_another_worker_has_swept_gives_back_its_resources(
    open_journal: Open, clock: Clock, register: Register
) -> None:
    from envhub.server.episodes.service import Episodes

    environment, tally = adder()
    register("adder-v0", type(environment))
    one, two = (Episodes(open_journal(), 10, idle_s=TTL, clock=clock, timer=clock) for _ in range(2))

    async def scenario() -> None:
        given: dict[str, Any] = {"env_id": "adder-v0", "difficulty": 3, "split": "train", "seed": 1}
        await one.create(request=given, episode_id="e", params={}, options={}, turn_seed=0, **given)
        await one.step("e", 0, ADD_3)
        clock.now += TTL / 2
        await one.sweep()
        assert (len(tally.opened), tally.closed) == (1, 0)
        clock.now += TTL
        await two.sweep()
        await one.sweep()
        assert (len(tally.opened), tally.closed) == (1, 1)

    asyncio.run(scenario())
    one.close()
    two.close()


def test_a_late_sweep_leaves_alone_what_has_an_expired_id_again(
    open_journal: Open, clock: Clock, register: Register
) -> None:
    from envhub.server.episodes.service import Episodes

    environment, tally = adder("none")
    register("adder-v0", type(environment))
    one = Episodes(open_journal(), 10, idle_s=TTL, clock=clock, timer=clock)

    async def scenario() -> None:
        given: dict[str, Any] = {"env_id": "adder-v0", "difficulty": 3, "split": "train", "seed": 1}
        for life in ("the first", "the second"):
            await one.create(request=given, episode_id="e", params={}, options={}, turn_seed=0, **given)
            assert (await one.step("e", 0, ADD_3))["observation"] == "total 3"
            await one.sweep()
            assert (await one.step("e", 1, ADD_4))["observation"] == "total 7", life
            clock.now += TTL - 1
            await one.sweep()  # so that the next one is not yet due when the episode expires
            clock.now += 2
        assert len(tally.opened) == 2

    asyncio.run(scenario())
    one.close()


@in_a_file
def test_a_resource_comes_back_in_another_worker(workers: list[Api], register: Register) -> None:
    environment, _ = adder("replay")
    register("adder-v0", type(environment))
    one, two = workers
    one.create("adder-v0", seed=1)
    one.step(0, ADD_3)
    assert two.step(1, ADD_4)["observation"] == "total 7"
    assert one.step(2, LOOK)["observation"] == "total 7"


@in_a_file
def test_a_record_keeps_when_and_how_long(open_journal: Open) -> None:
    from envhub.server.episodes.service import Episodes

    journal, now, ticks = open_journal(), iter(range(100, 200)), iter(range(0, 400, 4))
    service = Episodes(journal, 10, clock=lambda: float(next(now)), timer=lambda: float(next(ticks)))

    async def scenario() -> StoredEpisode | None:
        given: dict[str, Any] = {"env_id": GUESS, "difficulty": 3, "split": "train", "seed": 1}
        await service.create(request=given, episode_id="e", params={}, options={}, turn_seed=0, **given)
        await service.step("e", 0, "<answer>1</answer>")
        return await journal.load("e")

    stored = asyncio.run(scenario())
    service.close()
    assert stored is not None
    assert (stored.header.at, stored.entries[0].at, stored.entries[0].took_s) == (100.0, 101.0, 4.0)


def test_bad_bytes_as_an_id_find_nothing(open_journal: Open, make_api: MakeApi) -> None:
    api = make_api(open_journal())
    for path in ("%00", "%F0%9F%92%A9", "a%3Ab", "x" * 3000, "%22%27;--", "%FF"):
        assert api.get(f"/v1/episodes/{path}").status_code == 404
        body = {"turn": 2**62, "action": write_call("look")}
        assert api.post(f"/v1/episodes/{path}/step", body).status_code == 404


class Pair:
    """Two workers that share a journal and a clock, and let go of what they have not used for ten seconds."""

    def __init__(self, journals: list[Journal], clock: Clock) -> None:
        from envhub.server.episodes.service import Episodes

        self.workers = [Episodes(journal, 10, idle_s=10.0, clock=clock, timer=clock) for journal in journals]

    async def create(self, id: str) -> None:
        given: dict[str, Any] = {"env_id": "adder-v0", "difficulty": 3, "split": "train", "seed": 1}
        await self.workers[0].create(request=given, episode_id=id, params={}, options={}, turn_seed=0, **given)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()


@shared
@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_a_copy_that_is_not_used_leaves_memory_long_before_it_is_forgotten(
    open_journal: Open, clock: Clock, register: Register, restore: Any
) -> None:
    environment, tally = adder(restore)
    register("adder-v0", type(environment))
    pair = Pair([open_journal(), open_journal()], clock)
    one, two = pair.workers

    async def scenario() -> None:
        await pair.create("e")
        await one.step("e", 0, ADD_3)
        clock.now += 9
        await one.sweep()
        assert (len(tally.opened), tally.closed) == (1, 0)
        assert (await two.step("e", 1, ADD_4))["observation"] == "total 7"
        clock.now += 2
        await one.sweep()
        await two.sweep()
        opened = len(tally.opened)
        assert opened - tally.closed == 1
        assert (await two.step("e", 2, LOOK))["observation"] == "total 7"
        assert len(tally.opened) == opened  # so the copy that is left is the other worker's
        assert (await one.step("e", 3, LOOK))["observation"] == "total 7"
        assert len(tally.opened) == opened + 1

    asyncio.run(scenario())
    pair.close()


@shared
def test_what_could_not_come_back_stays_until_another_worker_goes_on(
    open_journal: Open, clock: Clock, register: Register
) -> None:
    environment, tally = adder("none")
    register("adder-v0", type(environment))
    pair = Pair([open_journal(), open_journal()], clock)
    one, two = pair.workers

    async def scenario() -> None:
        await pair.create("e")
        await one.step("e", 0, ADD_3)
        for _ in range(3):
            clock.now += 11
            await one.sweep()
        assert (await one.step("e", 1, ADD_4))["observation"] == "total 7"
        await two.step("e", 2, ADD_3)
        clock.now += 11
        opened, closed = len(tally.opened), tally.closed
        await one.sweep()
        assert (len(tally.opened), tally.closed) == (opened, closed + 1)

    asyncio.run(scenario())
    pair.close()

"""A server whose journal is away or has lost a turn: clear words, and nothing is built on what was not recorded."""

from __future__ import annotations

import asyncio

import pytest

from envhub.server.journal import Journal
from tests.server.journal.kinds import Open, lose_last
from tests.server.journal.workers import Counting, MakeApi, Register, Watched, shared
from tests.server.serving import ADD_3, ADD_4, GUESS, LOOK, Api, local, problem
from tests.support.toys import Adder, adder


@pytest.fixture
def torn(open_journal: Open, make_api: MakeApi, kind: str) -> tuple[Journal, Api, Api]:
    """Two workers on one journal; the first answered two turns of ``e``, and the journal has lost the second."""
    journal = open_journal()
    one, two = make_api(journal), make_api(journal if kind == "memory" else open_journal())
    one.create(GUESS, seed=1)
    for turn in (0, 1):
        one.step(turn, f"<answer>{turn + 1}</answer>")
    lose_last(journal, "e")
    return journal, one, two


def test_a_past_that_the_journal_has_lost_is_not_gone_on_with(torn: tuple[Journal, Api, Api]) -> None:
    """Another worker went on otherwise. Whoever plays on is told, and then everybody goes on from the record."""
    _, one, two = torn
    env = local(GUESS, 1)
    env.step("<answer>1</answer>")
    assert two.step(1, "<answer>9</answer>")["observation"] == env.step("<answer>9</answer>")[0]
    status, code, detail = problem(one.try_step(2, "<answer>3</answer>"))
    assert (status, code) == (409, "Conflict")
    assert "lost turns" in detail
    assert one.look() == two.look()
    assert one.look()["turn"] == 2
    assert one.step(2, "<answer>3</answer>")["observation"] == env.step("<answer>3</answer>")[0]
    assert two.look()["turn"] == 3


@pytest.mark.parametrize("turn", [1, 3])
def test_whatever_is_asked_of_a_lost_past_is_told_so(torn: tuple[Journal, Api, Api], turn: int) -> None:
    """A repeat of the lost turn itself, and one that is further than what the first worker has seen."""
    _, one, two = torn
    two.step(1, "<answer>9</answer>")
    two.step(2, "<answer>8</answer>")
    assert problem(one.try_step(turn, "<answer>2</answer>"))[1] == "Conflict"
    assert two.look()["turn"] == 3
    assert one.look() == two.look()


def test_a_lost_turn_that_was_taken_again_alike_disturbs_nobody(torn: tuple[Journal, Api, Api]) -> None:
    _, one, two = torn
    two.step(1, "<answer>2</answer>")
    assert one.step(2, "<answer>3</answer>")["turn"] == 3
    assert one.look() == two.look()


def test_a_lost_turn_is_taken_again_where_it_was_lost(torn: tuple[Journal, Api, Api]) -> None:
    _, one, two = torn
    assert problem(one.try_step(2, "<answer>3</answer>"))[1] == "Conflict"
    assert one.step(1, "<answer>9</answer>")["turn"] == 2
    assert one.step(2, "<answer>3</answer>")["turn"] == 3
    assert one.look() == two.look()


def test_a_look_at_an_episode_shows_the_record_and_not_what_was_lost(torn: tuple[Journal, Api, Api]) -> None:
    _, one, two = torn
    two.step(1, "<answer>9</answer>")
    seen = one.look()
    assert seen == two.look()
    assert seen["messages"][-2]["content"] == "<answer>9</answer>"
    fork = one.fork("e", "f")
    assert one.look("f")["messages"][-2]["content"] == "<answer>9</answer>"
    assert fork["turn"] == 2


def test_no_effect_is_performed_after_a_past_that_was_lost(
    open_journal: Open, make_api: MakeApi, register: Register, kind: str
) -> None:
    counting = Counting()
    register("counting-v0", type("Counted", (Adder,), {"resources": {"tally": counting}}))
    journal = open_journal()
    one, two = make_api(journal), make_api(journal if kind == "memory" else open_journal())
    one.create("counting-v0", seed=1)
    one.step(0, ADD_3)
    lose_last(journal, "e")
    two.step(0, ADD_4)
    counting.done.clear()
    assert problem(one.try_step(1, ADD_3))[1] == "Conflict"
    assert counting.done == []


@pytest.mark.parametrize("route", ["create", "step", "load"])
def test_a_journal_that_is_away_is_said_and_nothing_happened(open_journal: Open, make_api: MakeApi, route: str) -> None:
    watched = Watched(open_journal())
    api = make_api(watched)
    api.create(GUESS, seed=1)
    watched.failing = {"create": {"create"}, "step": {"append"}, "load": {"load"}}[route]
    request = {"env_id": GUESS, "episode_id": "f", "seed": 1}
    refused = {
        "create": lambda: api.post("/v1/episodes", request),
        "step": lambda: api.try_step(0, "<answer>1</answer>"),
        "load": lambda: api.get("/v1/episodes/e"),
    }[route]()
    assert problem(refused)[:2] == (503, "JournalUnavailable")
    assert refused.headers["retry-after"] == "7"
    watched.failing = set()
    assert api.look()["turn"] == 0
    assert api.step(0, "<answer>2</answer>")["observation"] == local(GUESS, 1).step("<answer>2</answer>")[0]
    assert api.post("/v1/episodes", request).status_code == 201


@shared
@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_what_was_not_recorded_is_not_built_upon(
    open_journal: Open, make_api: MakeApi, register: Register, how: str
) -> None:
    """The first worker took a turn that nobody recorded; another worker took it otherwise; the first goes on from that."""
    environment, _ = adder("replay")
    register("adder-v0", type(environment))
    watched = Watched(open_journal())
    one, two = make_api(watched), make_api(open_journal())
    one.create("adder-v0", seed=1)
    if how == "failed":
        watched.failing = {"append"}
        assert problem(one.try_step(0, ADD_3))[0] == 503
        watched.failing = set()
    else:

        async def cut() -> None:
            watched.held = asyncio.Event()
            body = {"turn": 0, "action": ADD_3}
            request = asyncio.create_task(one.asend("POST", "/v1/episodes/e/step", body))
            while watched.asked[-1] != "append":
                await asyncio.sleep(0)
            request.cancel()
            await asyncio.wait([request])
            watched.held = None

        one.run(cut())
    assert two.step(0, ADD_4)["observation"] == "total 4"
    assert one.step(1, LOOK)["observation"] == "total 4"
    assert one.look() == two.look()


def test_a_turn_that_was_recorded_though_nobody_heard_is_answered_from_the_record(
    open_journal: Open, make_api: MakeApi
) -> None:
    watched = Watched(open_journal())
    api = make_api(watched)
    api.create(GUESS, seed=1)
    watched.lost = {"append"}
    assert problem(api.try_step(0, "<answer>1</answer>"))[0] == 503
    watched.lost = set()
    assert api.step(0, "<answer>1</answer>")["turn"] == 1
    assert problem(api.try_step(0, "<answer>2</answer>"))[1] == "Conflict"
    assert api.step(1, "<answer>2</answer>")["turn"] == 2
    assert api.look()["turn"] == 2

"""Effects after a replay, a fork or a loss: what is only remembered, what is rebuilt, and who is to blame."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envhub.authoring import write_call
from envhub.core import resources
from envhub.core.effects import Outcome
from envhub.core.errors import ForkRefused, TooBusy
from tests.core.effects.stepping import ADD_3, ADD_4, LOOK, RESTORES, replayed
from tests.support.stepping import Step, both_steps
from tests.support.toys import adder, episode


@both_steps
@pytest.mark.parametrize("restore", RESTORES)
def test_replay_performs_nothing_and_sees_the_same(step: Step, restore: Any) -> None:
    environment, tally = adder(restore)
    old = episode(environment)
    for action in (ADD_3, ADD_4, LOOK, write_call("twice", amount=1)):
        step(old, action)
    before = (list(tally.opened), list(tally.performed))
    new = replayed(old)
    assert (tally.opened, tally.performed) == before
    assert [t.observation for t in new.turns] == [t.observation for t in old.turns]
    assert new.state == old.state
    assert new.journal == old.journal


@both_steps
def test_a_replayed_resource_is_rebuilt_at_its_next_effect_by_its_exec_effects_only(step: Step) -> None:
    environment, tally = adder("replay")
    old = episode(environment)
    for action in (ADD_3, LOOK, ADD_4):
        step(old, action)
    new = replayed(old)
    step(new, write_call("echo", text="nothing yet"))
    assert len(tally.opened) == 1
    tally.performed.clear()
    assert step(new, ADD_3).observation == "total 10"
    assert len(tally.opened) == 2
    assert tally.performed == [3, 4, 3]


@both_steps
def test_a_snapshot_resource_is_reopened_from_its_token_and_repeats_nothing(step: Step) -> None:
    environment, tally = adder("snapshot")
    old = episode(environment)
    for action in (ADD_3, ADD_4, LOOK):
        step(old, action)
    new = replayed(old)
    tally.performed.clear()
    assert step(new, LOOK).observation == "total 7"
    assert tally.opened == [({"goal": 10}, None), ({"goal": 10}, 7)]
    assert tally.performed == ["total?"]


@both_steps
def test_a_resource_that_cannot_be_rebuilt_is_lost_after_a_restore(step: Step) -> None:
    environment, tally = adder("none")
    old = episode(environment)
    step(old, ADD_3)
    new = replayed(old)
    tally.performed.clear()
    turn = step(new, LOOK)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)
    assert turn.verdict.error is not None
    assert turn.verdict.error.code == "resource_lost"
    assert turn.truncated
    assert not turn.terminated
    assert tally.performed == []


@both_steps
def test_a_resource_that_was_only_read_is_never_lost(step: Step) -> None:
    environment, tally = adder("none")
    old = episode(environment)
    step(old, LOOK)
    assert step(old.fork(), LOOK).observation == "total 0"
    assert step(replayed(old), LOOK).observation == "total 0"
    assert len(tally.opened) == 3


DIE, DIE_ONCE = write_call("ask", payload="die"), write_call("ask", payload="die once")


@both_steps
@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_a_resource_that_is_lost_while_it_performs_is_rebuilt_and_asked_once_more(step: Step, restore: Any) -> None:
    environment, tally = adder(restore)
    e = episode(environment)
    step(e, ADD_3)
    assert step(e, DIE_ONCE).observation == "total 3"
    assert len(tally.opened) == 2
    assert tally.closed == 1
    assert step(e, ADD_4).observation == "total 7"


@both_steps
def test_a_resource_lost_twice_over_one_effect_is_our_failure_unless_the_resource_says_otherwise(step: Step) -> None:
    environment, tally = adder("replay")
    e = episode(environment)
    step(e, ADD_3)
    turn = step(e, DIE)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)

    environment, tally = adder("replay")
    tally.verdict_on_ruin = Outcome("that was you")
    e = episode(environment)
    step(e, ADD_3)
    assert step(e, DIE).observation == "that was you"
    assert tally.performed == [3, "die", 3, "die"]
    for later in (e, replayed(e)):  # what ruined it is left out of every rebuild
        tally.performed.clear()
        assert step(later, ADD_4).observation == "total 7"
        assert tally.performed == [3, 4]


@both_steps
def test_what_goes_away_between_requests_blames_none_and_is_rebuilt_a_few_times(step: Step) -> None:
    environment, tally = adder("replay")
    tally.verdict_on_ruin = Outcome("that was you")
    e = episode(environment)
    tally.evictions = 4
    assert step(e, ADD_3).observation == "total 3"
    assert len(tally.opened) == 5
    tally.evictions = 4
    assert step(e, ADD_4).observation == "total 7"
    assert len(tally.opened) == 9
    tally.evictions = 5
    turn = step(e, LOOK)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)


@both_steps
def test_a_loss_in_the_rebuilding_is_not_the_doing_of_what_was_asked_next(step: Step) -> None:
    environment, tally = adder("replay")
    tally.verdict_on_ruin = Outcome("that was you")
    e = episode(environment)
    step(e, ADD_3)
    late = replayed(e)
    tally.dying = {2, 3}  # of what they are to do again
    assert step(late, ADD_4).observation == "total 7"
    assert len(tally.opened) == 4


def test_where_there_is_no_room_a_turn_is_not_taken_and_can_be_taken_later() -> None:
    environment, tally = adder("replay")
    e = episode(environment)
    tally.full = 1
    with pytest.raises(TooBusy, match="all taken") as refused:
        asyncio.run(e.astep(ADD_3))
    assert refused.value.retry_after == 3
    assert e.journal == []
    assert asyncio.run(e.astep(ADD_3)).observation == "total 3"
    e.close()
    tally.full = 1
    with pytest.raises(TooBusy):
        asyncio.run(e.astep(ADD_4))
    assert asyncio.run(e.astep(ADD_4)).observation == "total 7"


def test_who_has_a_thread_to_wait_in_waits_for_room_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    environment, tally = adder("replay")
    now = [0.0]
    monkeypatch.setattr(resources, "monotonic", lambda: now[0])
    monkeypatch.setattr(resources, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    tally.full = 19
    assert episode(environment).step(ADD_3).observation == "total 3"
    assert now == [57.0]
    tally.full = 99
    turn = episode(environment).step(ADD_3)
    assert turn.verdict is not None
    assert (turn.verdict.status, turn.verdict.score) == ("error", None)
    assert now == [117.0]


@both_steps
def test_what_can_be_neither_replayed_nor_copied_is_lost_when_it_dies(step: Step) -> None:
    environment, tally = adder("none")
    e = episode(environment)
    step(e, ADD_3)
    turn = step(e, DIE_ONCE)
    assert turn.verdict is not None
    assert turn.verdict.status == "error"
    assert len(tally.opened) == 1


@both_steps
def test_what_is_kept_elsewhere_is_found_by_its_ticket_and_nothing_is_rebuilt(step: Step) -> None:
    environment, tally = adder("replay")
    tally.tickets = True
    old = episode(environment)
    step(old, ADD_3)
    new = replayed(old)
    tally.performed.clear()
    assert step(new, ADD_4).observation == "total 7"
    assert tally.performed == [4]
    assert len(tally.opened) == 1


@both_steps
def test_what_others_have_gone_on_with_is_not_taken_over_but_rebuilt(step: Step) -> None:
    environment, tally = adder("replay")
    tally.tickets = True
    old = episode(environment)
    step(old, ADD_3)
    late = replayed(old)
    assert step(old, ADD_4).observation == "total 7"
    assert step(late, ADD_3).observation == "total 6"
    assert len(tally.opened) == 2


@pytest.mark.parametrize("restore", ["replay", "snapshot"])
def test_a_fork_performs_nothing_until_its_next_effect_and_then_shares_nothing(restore: Any) -> None:
    environment, tally = adder(restore)
    trunk = episode(environment)
    trunk.step(ADD_3)
    branch = trunk.fork()
    assert len(tally.opened) == 1
    assert branch.step(ADD_4).observation == "total 7"
    assert len(tally.opened) == 2
    assert trunk.step(ADD_3).observation == "total 6"
    for e in (branch, trunk):
        e.close()  # what each rebuilds is its own past
    assert branch.step(LOOK).observation == "total 7"
    assert trunk.step(LOOK).observation == "total 6"


def test_a_fork_refuses_after_an_effect_that_cannot_be_repeated() -> None:
    environment, _ = adder("none")
    e = episode(environment)
    e.fork()
    e.step(LOOK)
    e.fork()
    e.step(ADD_3)
    with pytest.raises(ForkRefused, match="'tally'"):
        e.fork()
    assert e.step(ADD_4).observation == "total 7"

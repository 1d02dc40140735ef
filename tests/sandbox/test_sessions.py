"""Sessions held for clients: counted commands, nobody's state shared unknowingly, and no more than there may be."""

from __future__ import annotations

import threading

import pytest

from envhub.core.errors import InvalidParameters, ResourceError, TooBusy
from envhub.sandbox.backend import Setting
from envhub.sandbox.sessions import IDLE_S, SessionCrashed, SessionLost, Sessions
from tests.sandbox.backends import Scripted

BASH = Setting("bash")


def test_a_session_runs_commands_one_after_the_other() -> None:
    sessions = Sessions(Scripted(), most=2)
    key = sessions.open(BASH)
    assert sessions.run(key, 0, "a").text == "a"
    assert sessions.run(key, 1, "b").text == "a b"
    sessions.write(key, 2, {"f": b""})
    assert sessions.read(key, 3, ["f"]) == {"f": b"x"}
    assert [entry.path for entry in sessions.tree(key, 3).entries] == ["a"]
    assert sessions.holds(key, 3)
    assert not sessions.holds(key, 2)
    assert not sessions.holds("other", 0)


@pytest.mark.parametrize("known", [0, 2])
def test_who_does_not_know_what_has_run_is_told_that_the_session_is_lost(known: int) -> None:
    sessions = Sessions(Scripted(), most=2)
    key = sessions.open(BASH)
    sessions.run(key, 0, "a")
    with pytest.raises(SessionLost, match="has run 1 commands"):
        sessions.run(key, known, "b")
    assert sessions.run(key, 1, "c").text == "a c"


def test_files_that_are_refused_do_not_count_as_a_command() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=2)
    key = sessions.open(BASH)

    def refuse(files: object) -> None:
        raise InvalidParameters("something is in the way")

    session = backend.made[0].session
    assert session is not None
    session.write = refuse  # type: ignore[method-assign]
    with pytest.raises(InvalidParameters):
        sessions.write(key, 0, {"f": b""})
    assert sessions.run(key, 0, "a").text == "a"


def test_only_a_loss_in_the_middle_of_a_command_can_be_its_doing() -> None:
    sessions = Sessions(Scripted(), most=2)
    key = sessions.open(BASH)
    with pytest.raises(SessionLost) as late:
        sessions.run(key, 1, "a")
    with pytest.raises(SessionCrashed) as crashed:
        sessions.run(key, 0, "die")
    with pytest.raises(SessionLost) as over:
        sessions.run(key, 1, "a")
    assert [error.value.during for error in (late, crashed, over)] == [False, True, False]


def test_only_who_knows_what_has_run_ends_a_session() -> None:
    sessions = Sessions(Scripted(), most=2)
    key = sessions.open(BASH)
    sessions.run(key, 0, "a")
    sessions.close(key, 0)
    assert sessions.holds(key, 1)
    sessions.close(key, 1)
    with pytest.raises(SessionLost, match="has ended"):
        sessions.run(key, 1, "b")
    sessions.close(key, 1)


def test_a_command_that_takes_its_slot_down_loses_the_session_and_the_slot() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=1)
    key = sessions.open(BASH)
    with pytest.raises(SessionLost, match="gone"):
        sessions.run(key, 0, "die")
    assert backend.made[0].log[-1] == "close"
    assert sessions.counts()["open"] == 0
    assert sessions.run(sessions.open(BASH), 0, "a").text == "a"


def test_one_more_than_allowed_ends_the_one_unused_longest() -> None:
    sessions = Sessions(Scripted(), most=2)
    first, second = sessions.open(BASH), sessions.open(BASH)
    sessions.run(first, 0, "a")
    third = sessions.open(BASH)
    assert sessions.holds(first, 1)
    assert sessions.holds(third, 0)
    assert not sessions.holds(second, 0)


def test_when_all_are_running_commands_the_next_is_told_to_come_again() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=1)
    key = sessions.open(BASH)
    busy, go = threading.Event(), threading.Event()

    def hold(source: str) -> None:
        busy.set()
        go.wait(30)

    backend.during = hold
    thread = threading.Thread(target=sessions.run, args=(key, 0, "a"))
    thread.start()
    busy.wait(30)
    with pytest.raises(TooBusy, match="All 1 sessions"):
        sessions.open(BASH)
    go.set()
    thread.join(30)
    assert sessions.holds(key, 1)


def test_idle_sessions_are_ended_and_their_slots_used_again() -> None:
    now = 0.0
    backend = Scripted()
    sessions = Sessions(backend, most=5, spare=1, clock=lambda: now)
    old, older = sessions.open(BASH), sessions.open(BASH)
    now = IDLE_S
    sessions.run(old, 0, "a")
    now = IDLE_S + 1
    sessions.sweep()
    assert sessions.holds(old, 1)
    assert not sessions.holds(older, 0)
    sessions.open(BASH)
    assert len(backend.made) == 2
    assert backend.made[1].log == ["start", "open", "open"]


def test_no_more_slots_than_wanted_stay_warm() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=5, spare=1)
    for key in [sessions.open(BASH) for _ in range(3)]:
        sessions.close(key, 0)
    assert sorted(slot.log[-1] for slot in backend.made) == ["close", "close", "open"]
    sessions.close_all()
    assert {slot.log[-1] for slot in backend.made} == {"close"}


def test_no_slot_is_an_error_that_says_so_and_leaves_room() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=1)
    backend.sick = "start"
    for _ in range(3):
        with pytest.raises(ResourceError, match="no session could be opened: no room"):
            sessions.open(BASH)
    backend.sick = ""
    assert sessions.run(sessions.open(BASH), 0, "a").text == "a"


def test_numbers_of_slots_are_used_again() -> None:
    backend = Scripted()
    sessions = Sessions(backend, most=2, spare=0, first=7)
    for _ in range(3):
        keys = [sessions.open(BASH), sessions.open(BASH)]
        for key in keys:
            sessions.close(key, 0)
    assert {slot.number for slot in backend.made} == {7, 8}

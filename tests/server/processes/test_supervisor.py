"""Several workers: what dies is started again, what cannot start ends the whole, and in the end all of them end."""

from __future__ import annotations

import errno

import pytest

from envhub.server.processes.supervisor import READY, pause_s
from envhub.server.processes.worker_status import Board, Crew as Workers
from tests.server.processes.crews import Crew


def test_it_is_ready_when_all_of_them_are_and_ends_them_in_the_end() -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    second.say(READY)
    assert crew.hear() == "ready"
    crew.supervisor.stop()
    assert crew.hear() == "closing"  # and only then are they asked to end
    crew.end()
    assert first.asked
    assert second.asked
    assert not any(process.killed for process in crew.all)
    assert crew.gone == [1000, 1001]
    assert crew.told.empty()
    assert crew.error is None
    crew.supervisor.stop()  # once more does no harm


def test_one_of_two_is_not_ready() -> None:
    crew = Crew(2)
    crew.next().say(READY)
    crew.next()
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.end()


def test_who_dies_is_started_again_and_the_other_lives_on() -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    second.say(READY)
    assert crew.hear() == "ready"
    first.die(-9)
    third = crew.next()
    assert crew.gone == [1000]
    third.die(1)  # before it answers: that is no reason to end either, for the second serves
    fourth = crew.next()
    fourth.say("The file of keys cannot be read.")
    fourth.die(1)
    crew.next().say(READY)
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.end()
    assert not second.killed
    assert crew.error is None


@pytest.mark.parametrize("said", ["The journal cannot be opened.", None])
def test_who_cannot_start_ends_the_whole(said: str | None) -> None:
    crew = Crew(2)
    first, second = crew.next(), crew.next()
    first.say(READY)
    if said:
        second.say(said)
    second.die(1)
    assert crew.hear() == "closing"
    crew.end()
    assert first.asked
    assert str(crew.error) == (said or "A worker ended with exit code 1 before it answered; its log says why.")


def test_who_does_not_end_is_killed() -> None:
    crew = Crew(1, deaf=True, grace_s=0.0)
    process = crew.next()
    crew.supervisor.stop()
    crew.end()
    assert process.asked
    assert process.killed
    assert crew.gone == [1000]


def test_who_asks_twice_does_not_wait() -> None:
    crew = Crew(1, deaf=True)
    process = crew.next()
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.supervisor.stop()
    crew.end()
    assert process.killed


def test_who_leaves_when_the_end_was_asked_for_is_not_in_a_hurry() -> None:
    crew = Crew(1, deaf=True)
    process = crew.next()
    crew.supervisor.stop()
    assert crew.hear() == "closing"
    crew.supervisor.leave()  # the program that started us closes our input when it has sent a signal
    process.die(0)
    crew.end()
    assert process.asked
    assert not process.killed


def test_what_cannot_live_is_started_ever_later() -> None:
    pauses = [pause_s(failures) for failures in range(12)]
    assert pauses[:4] == [0.0, 0.0, 0.25, 0.5]
    assert pauses == sorted(pauses)
    assert pauses[-1] == pause_s(10**9) == 10.0


def test_what_the_board_says_is_read_as_it_was_written() -> None:
    board = Board()
    for crew in (Workers(2, 2), Workers(4, 1, 7, errno.ENOMEM)):
        board.write(crew)
        assert board.read() == crew


@pytest.mark.parametrize(
    ("crew", "reason"),
    [
        (Workers(2, 2, 5), None),
        (Workers(2, 1), "1 of 2 workers do not serve: they are being started. The server's log says more."),
        (Workers(3, 1, 5), "2 of 3 workers do not serve: 5 have ended since the start. The server's log says more."),
        (
            Workers(2, 1, 5, errno.EAGAIN),
            "1 of 2 workers do not serve: a process could not be started (Resource temporarily unavailable). "
            "The server's log says more.",
        ),
    ],
)
def test_why_workers_are_missing(crew: Workers, reason: str | None) -> None:
    assert crew.reason == reason

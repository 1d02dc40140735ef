"""Several workers: the dead are restarted, a failed start ends the server, and stopping ends all of them."""

from __future__ import annotations

import errno

import pytest

from envhub.server.processes.supervisor import READY
from envhub.server.processes.worker_status import SharedWorkerStatus, WorkerStatus
from tests.server.processes.supervised import SupervisorThread


def test_the_server_is_ready_once_all_workers_serve_and_stops_all_of_them() -> None:
    thread = SupervisorThread(2)
    first, second = thread.next_started(), thread.next_started()
    first.send(READY)
    second.send(READY)
    assert thread.next_call() == "ready"
    thread.supervisor.stop()
    assert thread.next_call() == "closing"  # and only then are they asked to end
    thread.join()
    assert first.terminated
    assert second.terminated
    assert not any(process.killed for process in thread.all)
    assert thread.exited == [1000, 1001]
    assert thread.calls.empty()
    assert thread.error is None
    thread.supervisor.stop()  # harmless once it has ended


def test_one_serving_worker_of_two_is_not_ready() -> None:
    thread = SupervisorThread(2)
    thread.next_started().send(READY)
    thread.next_started()
    thread.supervisor.stop()
    assert thread.next_call() == "closing"
    thread.join()


def test_a_dead_worker_is_restarted_while_the_other_serves() -> None:
    thread = SupervisorThread(2)
    first, second = thread.next_started(), thread.next_started()
    first.send(READY)
    second.send(READY)
    assert thread.next_call() == "ready"
    first.exit(-9)
    third = thread.next_started()
    assert thread.exited == [1000]
    third.exit(1)  # before it answers: that is no reason to end either, for the second serves
    fourth = thread.next_started()
    fourth.send("The file of keys cannot be read.")
    fourth.exit(1)
    thread.next_started().send(READY)
    thread.supervisor.stop()
    assert thread.next_call() == "closing"
    thread.join()
    assert not second.killed
    assert thread.error is None


@pytest.mark.parametrize("said", ["The journal cannot be opened.", None])
def test_a_worker_that_cannot_start_ends_the_server(said: str | None) -> None:
    thread = SupervisorThread(2)
    first, second = thread.next_started(), thread.next_started()
    first.send(READY)
    if said:
        second.send(said)
    second.exit(1)
    assert thread.next_call() == "closing"
    thread.join()
    assert first.terminated
    assert str(thread.error) == (said or "A worker ended with exit code 1 before it served; its log says why.")


def test_a_worker_that_ignores_terminate_is_killed() -> None:
    thread = SupervisorThread(1, ignores_terminate=True, grace_s=0.0)
    process = thread.next_started()
    thread.supervisor.stop()
    thread.join()
    assert process.terminated
    assert process.killed
    assert thread.exited == [1000]


def test_a_second_stop_does_not_wait() -> None:
    thread = SupervisorThread(1, ignores_terminate=True)
    process = thread.next_started()
    thread.supervisor.stop()
    assert thread.next_call() == "closing"
    thread.supervisor.stop()
    thread.join()
    assert process.killed


def test_a_graceful_stop_after_a_stop_still_waits() -> None:
    thread = SupervisorThread(1, ignores_terminate=True)
    process = thread.next_started()
    thread.supervisor.stop()
    assert thread.next_call() == "closing"
    thread.supervisor.stop_gracefully()  # the program that started us closes our input when it has sent a signal
    process.exit(0)
    thread.join()
    assert process.terminated
    assert not process.killed


def test_a_shared_status_is_read_as_it_was_written() -> None:
    shared = SharedWorkerStatus()
    for status in (WorkerStatus(2, 2), WorkerStatus(4, 1, 7, errno.ENOMEM)):
        shared.write(status)
        assert shared.read() == status


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (WorkerStatus(2, 2, 5), None),
        (WorkerStatus(2, 1), "1 of 2 workers do not serve: they are being started. The server's log says more."),
        (
            WorkerStatus(3, 1, 5),
            "2 of 3 workers do not serve: 5 ended unexpectedly since the start. The server's log says more.",
        ),
        (
            WorkerStatus(2, 1, 5, errno.EAGAIN),
            "1 of 2 workers do not serve: a process could not be started (Resource temporarily unavailable). "
            "The server's log says more.",
        ),
    ],
)
def test_the_reason_for_missing_workers(status: WorkerStatus, reason: str | None) -> None:
    assert status.reason == reason

"""The order in which tasks are drawn ahead."""

from __future__ import annotations

from envhub.core.seeding import MAX_SEED
from envhub.server.episodes.prefill_queue import Job, PrefillQueue, TaskKind

ONE, OTHER = (TaskKind(env_id, 4, "train", {}) for env_id in ("sudoku-v0", "zebra-v0"))


def drained(queue: PrefillQueue) -> list[Job]:
    return list(iter(queue.next, None))


def test_the_first_task_of_a_kind_comes_before_the_second_of_another() -> None:
    queue = PrefillQueue(ahead=3)
    queue.note_request(ONE, seed=None)
    queue.note_request(OTHER, seed=None)
    assert [job.kind.env_id for job in drained(queue)] == ["sudoku-v0", "zebra-v0"] * 3


def test_a_kind_that_has_run_out_goes_first() -> None:
    queue = PrefillQueue(ahead=2)
    for kind in (ONE, OTHER):
        queue.note_request(kind, seed=None)
    for job in drained(queue):
        queue.done(job, drawn=job.kind is ONE)
    assert queue.take(ONE) is not None
    queue.note_request(ONE, seed=None)
    assert queue.take(OTHER) is None
    queue.note_request(OTHER, seed=None)
    assert [job.kind.env_id for job in drained(queue)] == ["zebra-v0", "sudoku-v0", "zebra-v0"]


def test_seeds_that_are_needed_soon_go_first() -> None:
    queue = PrefillQueue(ahead=3)
    queue.note_request(ONE, seed=10)
    queue.note_request(OTHER, seed=MAX_SEED - 2)
    assert [job.seed for job in drained(queue)] == [11, MAX_SEED - 1, 12, MAX_SEED, 13]
    queue.note_request(ONE, seed=11)
    assert [job.seed for job in drained(queue)] == [14]


def test_a_mixture_of_two_hundred_kinds_has_tasks_of_each_ready() -> None:
    queue = PrefillQueue(ahead=2)
    kinds = [TaskKind("sudoku-v0", 4, "train", {"clues": number}) for number in range(200)]
    for kind in kinds:
        queue.note_request(kind, seed=None)
    for job in drained(queue):
        queue.done(job, drawn=True)
    assert all(queue.take(kind) is not None for kind in kinds)


def test_queued_tasks_are_bounded_and_the_least_urgent_are_dropped() -> None:
    queue = PrefillQueue(ahead=4)
    kinds = [TaskKind("sudoku-v0", 4, "train", {"clues": number}) for number in range(300)]
    for kind in kinds:
        queue.note_request(kind, seed=None)
    jobs = drained(queue)
    assert len(jobs) == 1024
    assert {job.kind.key for job in jobs} == {kind.key for kind in kinds}
    queue.note_request(kinds[-1], seed=None)
    assert 0 < len(drained(queue)) < 4  # the dropped ones are queued again

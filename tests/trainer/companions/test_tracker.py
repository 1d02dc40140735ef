"""SPO's tracker: its arithmetic against the paper in plain Python, what it remembers, and that a pool draws by it."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
import torch
from torch import Tensor

import envhub
from envhub_trainer.algorithms.tracked import Belief, Tracker
from envhub_trainer.batch import Batch, collate
from envhub_trainer.companions.tracker import TaskTracker
from envhub_trainer.episode import Episode
from envhub_trainer.pool import Pool
from tests.trainer.algorithms.toys import an_episode

CPU = torch.device("cpu")


def answer(task: int, reward: float, seed: int = 0) -> Episode:
    made = an_episode([reward], seed=seed)
    made.task = {"seed": task}
    return made


def unmoved(batch: Batch) -> Tensor:
    return batch.behaviour


def scored(tracker: TaskTracker, *episodes: Episode) -> list[float]:
    found = tracker.score(collate(list(episodes)), episodes).baseline
    assert found is not None
    return found.tolist()


def test_beliefs_follow_the_paper() -> None:
    # 2509.13232: rho = 2^(-D / D_half) in [0.875, 0.96]; a <- rho a + R, b <- rho b + 1 - R; v = a / (a + b)
    a = b = 0.5
    belief = Tracker().prior
    for reward, moved in ((1.0, 0.0), (0.0, 0.008), (1.0, 0.1), (0.25, 0.005)):
        rho = max(0.875, min(0.96, 2 ** (-moved / 0.06)))
        a, b = rho * a + reward, rho * b + 1 - reward
        belief = Tracker().updated(belief, [reward], moved)
        assert (belief.a, belief.b, belief.value) == pytest.approx((a, b, a / (a + b)), abs=1e-12)
        assert Tracker().priority(belief) == pytest.approx(sqrt(belief.value * (1 - belief.value)) + 0.05)
    assert Tracker().updated(Belief(0.5, 0.5), [1.0], 0.012).a == pytest.approx(0.875 * 0.5 + 1)


def test_the_baseline_is_from_before_the_answer_and_each_task_has_its_own() -> None:
    tracker = TaskTracker(Tracker(), unmoved, CPU)
    assert scored(tracker, answer(1, 1.0), answer(2, 0.0)) == [0.5, 0.5]
    assert scored(tracker, answer(2, 0.0), answer(1, 1.0)) == pytest.approx([0.48 / 1.96, 1.48 / 1.96])
    assert tracker.learn(collate([answer(1, 1.0)]), 0)["tracked"] == 2.0
    assert tracker.priority({"seed": 1}) < tracker.priority({"seed": 3}) == pytest.approx(0.55)


def test_answers_to_the_same_task_in_a_step_count_each() -> None:
    tracker = TaskTracker(Tracker(), unmoved, CPU)
    scored(tracker, answer(1, 1.0), answer(1, 1.0), answer(1, 0.0))
    assert scored(tracker, answer(1, 1.0)) == pytest.approx([2.48 / 3.96])


def test_the_past_is_forgotten_by_how_far_the_policy_has_moved_on_the_last_answer() -> None:
    tracker = TaskTracker(Tracker(), lambda batch: batch.behaviour + 0.01 * batch.mask - 5 * (1 - batch.mask), CPU)
    scored(tracker, answer(1, 1.0, seed=4))
    scored(tracker, answer(1, 1.0, seed=5))
    assert tracker.learn(collate([answer(1, 1.0)]), 0)["tracker_moved"] == pytest.approx(0.01, rel=1e-4)
    rho = 2 ** (-0.01 / 0.06)
    assert 0.875 < rho < 0.96
    assert scored(tracker, answer(1, 1.0)) == pytest.approx([(rho * 1.48 + 1) / (rho * 1.96 + 1)], rel=1e-5)


def test_a_resumed_tracker_is_the_same_and_torch_saves_its_state(tmp_path: object) -> None:
    tracker, resumed = (TaskTracker(Tracker(), unmoved, CPU) for _ in range(2))
    scored(tracker, answer(1, 1.0), answer(2, 0.0, seed=3))
    path = f"{tmp_path}/state.pt"
    torch.save(tracker.state_dict(), path)
    resumed.load_state_dict(torch.load(path, weights_only=True))
    assert scored(resumed, answer(1, 0.0), answer(2, 0.0)) == scored(tracker, answer(1, 0.0), answer(2, 0.0))
    assert resumed.state_dict() == tracker.state_dict()


def test_a_return_that_is_no_probability_is_refused() -> None:
    with pytest.raises(ValueError, match=r"returns must be from 0 to 1, got 1\.5"):
        scored(TaskTracker(Tracker(), unmoved, CPU), answer(1, 1.5))


def pool(size: int, tracker: TaskTracker | None = None) -> Pool:
    stream = envhub.TaskStream("arithmetic-v0", seed=5)
    return Pool(stream, size, 7, tracker.priority if tracker else None)


def test_a_pool_has_so_many_tasks_and_a_resumed_one_draws_the_same() -> None:
    tasks = pool(6)
    first = [repr(next(tasks).key) for _ in range(60)]
    assert len(tasks) == len(set(first)) == 6
    rest = [repr(next(tasks).key) for _ in range(10)]
    resumed = pool(6)
    resumed.load_state_dict({"drawn": 60})
    assert [repr(next(resumed).key) for _ in range(10)] == rest
    assert resumed.state_dict() == tasks.state_dict() == {"drawn": 70}


def test_what_is_uncertain_is_drawn_most() -> None:
    tracker = TaskTracker(Tracker(), unmoved, CPU)
    tasks = pool(2, tracker)
    known, unknown = (task.key.to_json() for task in tasks._tasks)
    for seed in range(30):
        solved = answer(0, 1.0, seed)
        solved.task = known
        scored(tracker, solved)
    counts = Counter(repr(next(tasks).key.to_json()) for _ in range(1000))
    weights = [tracker.priority(key) for key in (known, unknown)]
    assert counts[repr(known)] / 1000 == pytest.approx(weights[0] / sum(weights), abs=0.05)
    assert counts[repr(known)] < counts[repr(unknown)] / 2

"""Judges that are kept: a task is not drawn again, and no other task is judged by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

import pytest

import envhub
from envhub.core.seeding import Stream, TaskKey
from envhub.core.types import Instance, Verdict
from envhub.making import Judge
from envhub.server.episodes.warm_judges import WarmJudges
from tests.server.serving import Api
from tests.support.toys import Sum

Register = Callable[..., str]


class Counted(Sum):
    """Adds integers; the number of drawn instances is counted."""

    drawn: ClassVar[int] = 0

    def sample(self, rng: Stream, p: Any) -> Instance:
        type(self).drawn += 1
        return super().sample(rng, p)


class Failing(Counted):
    """Its grader fails."""

    def grade(self, inst: Instance, value: Any) -> Verdict:
        raise ValueError("no grade")


class OfFiles(Counted):
    """Its tasks come from a file, which may change."""

    files = ("path",)


def key_of(env_id: str, seed: int = 1, **params: Any) -> TaskKey:
    return TaskKey(env_id, {"terms": 2, "digits": 1, **params}, "train", seed)


def kept(judges: WarmJudges, key: TaskKey, answer_format: str | None = None) -> Judge:
    """A judge that was used and is kept."""
    judge = judges.take(key, answer_format)
    judges.keep(key, answer_format, judge)
    return judge


def test_further_responses_do_not_draw_the_task_again(api: Api, register: Register) -> None:
    key = key_of(register("counted-v0", Counted)).to_json()
    rewards, counts = [], []
    for said in range(19):
        body = {"items": [{"task": key, "responses": [f"<answer>{said}</answer>"]}]}
        rewards.append(api.post("/v1/verify", body).json()["results"][0]["verdicts"][0]["reward"])
        counts.append(Counted.drawn)
    assert sorted(rewards) == [0.0] * 18 + [1.0]
    assert counts == counts[:1] * 19


@pytest.mark.parametrize("terms", [True, 2.0, "2"])
def test_equal_values_of_other_types_are_other_keys(register: Register, terms: Any) -> None:
    """Python's ``==`` holds for ``1`` and ``True``, but they are different parameters."""
    judges = WarmJudges(8)
    env_id = register("counted-v0", Counted)
    warm = kept(judges, key_of(env_id, terms=int(terms)))
    with suppress(envhub.EnvhubError):  # a new judge refuses it
        assert judges.take(key_of(env_id, terms=terms), None) is not warm
    assert judges.take(key_of(env_id, terms=int(terms)), None) is warm


def test_all_that_makes_a_task_finds_its_judge(register: Register) -> None:
    judges = WarmJudges(8)
    env_id, other = register("counted-v0", Counted), register("other-v0", Counted)
    warm = kept(judges, key_of(env_id))
    assert judges.take(key_of(env_id, seed=2), None) is not warm
    assert judges.take(key_of(env_id, digits=2), None) is not warm
    assert judges.take(key_of(other), None) is not warm
    assert judges.take(replace(key_of(env_id), split="test"), None) is not warm
    assert judges.take(key_of(env_id), "boxed") is not warm
    assert judges.take(key_of(env_id), None) is warm


def test_a_false_fingerprint_is_refused_by_a_warm_judge_too(api: Api, register: Register) -> None:
    env_id = register("counted-v0", Counted)
    one, other = (Judge(key_of(env_id, seed)).fingerprint for seed in (1, 2))

    def judged(fingerprint: str) -> Any:
        item = {"task": key_of(env_id).to_json(), "fingerprint": fingerprint, "responses": ["<answer>1</answer>"]}
        return api.post("/v1/verify", {"items": [item]}).json()["results"][0]

    honest = judged(one)
    assert honest["verdicts"]
    assert "draws another problem" in str(judged(other)["error"])
    assert judged(one) == honest


def test_a_judge_has_one_user_at_a_time(register: Register) -> None:
    judges = WarmJudges(8)
    key = key_of(register("counted-v0", Counted))
    kept(judges, key)
    assert judges.take(key, None) is not judges.take(key, None)


def test_what_failed_is_not_kept(api: Api, register: Register) -> None:
    key = key_of(register("failing-v0", Failing)).to_json()
    counts = []
    for _ in range(3):
        api.post("/v1/verify", {"items": [{"task": key, "responses": ["<answer>1</answer>"]}]})
        counts.append(Failing.drawn)
    assert len(set(counts)) == 3


def test_tasks_of_files_are_not_kept(register: Register) -> None:
    judges = WarmJudges(8)
    key = key_of(register("of-files-v0", OfFiles))
    assert kept(judges, key) is not judges.take(key, None)


def test_the_number_of_judges_is_bounded(register: Register) -> None:
    judges = WarmJudges(2)
    env_id = register("counted-v0", Counted)
    first, *rest = (kept(judges, key_of(env_id, seed)) for seed in range(3))
    assert judges.take(key_of(env_id, 0), None) is not first
    assert [judges.take(key_of(env_id, seed), None) for seed in (1, 2)] == rest

"""Attempts are bounded: a sample that cannot succeed says so, and hangs nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

import envhub
from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.core.errors import EnvhubError, SamplingFailed, SplitExhausted
from envhub.core.seeding import MAX_DRAWS, Stream
from envhub.core.types import Instance, Verdict
from envhub.registry.registry import unregister
from envhub.tasks import attempts
from envhub.verifiers.answers.types import Integer


class Stuck(SingleTurn):
    """Cannot be drawn: it searches for ever, gives every attempt up, or yields twice."""

    answer = Integer()
    tried: ClassVar[list[int]] = []

    class Params(BaseParams):
        """How it fails."""

        how: str = "for ever"

    def sample(self, rng: Stream, p: Any) -> Instance | Staged | None:
        self.tried.append(0)
        if p.how == "for ever":
            while True:
                rng.bits(512)
        if p.how == "twice":
            return self._twice()
        return None

    def _twice(self) -> Staged:
        yield {"n": 1}
        yield {"n": 2}
        return None

    def prompt(self, problem: Any) -> str:
        return "?"

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(False)

    def solve(self, inst: Instance) -> str:
        return "0"


@pytest.fixture(autouse=True)
def stuck() -> Iterator[None]:
    Stuck.tried.clear()
    envhub.register("stuck-v0", Stuck)
    yield
    unregister("stuck-v0")


def test_an_attempt_that_draws_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_BLOCKS", 4096)
    with pytest.raises(SamplingFailed, match=r"stuck-v0 found no problem .* randomness without an end.*Take other"):
        envhub.make("stuck-v0").reset(seed=1)
    assert len(Stuck.tried) == 1


def test_an_attempt_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr(attempts.time, "monotonic", lambda: next(clock))
    monkeypatch.setenv("ENVHUB_SAMPLE_SECONDS", "35")
    with pytest.raises(SamplingFailed, match="one attempt took longer than 35 s"):
        envhub.make("stuck-v0").reset(seed=1)
    assert next(clock) == 50  # 0 sets the deadline, 10 .. 30 are before it, 40 is past it


def test_attempts_that_take_too_long_together_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr(attempts.time, "monotonic", lambda: next(clock))
    monkeypatch.setenv("ENVHUB_SAMPLE_SECONDS", "35")
    with pytest.raises(SamplingFailed, match="attempts took longer than 35 s"):
        envhub.make("stuck-v0", how="never").reset(seed=1)
    assert len(Stuck.tried) == 5


def test_attempts_that_all_fail_are_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SplitExhausted, match=f"none among {MAX_DRAWS}"):
        envhub.make("stuck-v0", how="never").reset(seed=1)
    assert len(Stuck.tried) == MAX_DRAWS


@pytest.mark.parametrize("text", ["", "soon", "-3"])
def test_a_limit_that_is_none_is_not_taken_for_one(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVHUB_SAMPLE_SECONDS", text)
    assert attempts.seconds_allowed() in (120.0, 0.0)


def test_a_sample_that_yields_twice_is_an_authors_error() -> None:
    env = envhub.make("stuck-v0", how="twice")
    with pytest.raises(TypeError, match="yields once"):
        env.reset(seed=1)


def test_a_bounded_stream_draws_what_a_stream_draws() -> None:
    bounded, plain = attempts.bounded(b"key", 3), Stream(b"key", "sample", 3)
    assert [bounded.below(1000) for _ in range(2000)] == [plain.below(1000) for _ in range(2000)]


def test_the_failure_is_one_of_ours() -> None:
    assert issubclass(SamplingFailed, EnvhubError)

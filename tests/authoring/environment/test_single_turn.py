"""What an author of one turn writes, and what the base class makes of it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from envhub.authoring import BaseParams, SingleTurn, ToolEnv, World
from envhub.core.effects import Check, Resource
from envhub.core.errors import InvalidParameters, SplitExhausted
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn, Verdict
from envhub.verifiers.answers.types import AnswerType, Integer
from tests.authoring.environment.variants import Staged, variant
from tests.support.toys import SECRET, Dice, Sum, Tally, adder, episode, source

# -- one turn ----------------------------------------------------------------------------------------------------------


def test_a_right_answer_ends_the_episode_solved() -> None:
    e = episode(Sum(), seed=3)
    turn = e.step(f"<answer>{e.instance.key}</answer>")
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.solved, turn.verdict.status) == (1.0, True, "graded")
    assert (turn.terminated, turn.truncated) == (True, False)
    assert turn.observation == turn.verdict.feedback == "Correct."
    assert turn.verdict.answer == str(e.instance.key)
    assert turn.verdict.components == {"format": 1.0}


def test_a_wrong_answer_ends_it_unsolved_and_does_not_tell() -> None:
    e = episode(variant(Sum, sample=lambda self, rng, p: Instance({"xs": [rng.below(90), SECRET]}, key=SECRET)), seed=3)
    turn = e.step("1")
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.solved, turn.verdict.status) == (0.0, False, "graded")
    assert turn.terminated
    assert str(SECRET) not in json.dumps(turn.verdict.to_json()) + turn.observation
    assert turn.verdict.components == {"format": 0.0}


@pytest.mark.parametrize(
    ("action", "reason"),
    [("", "empty"), ("dunno", "unreadable"), ("<answer>1</answer><answer>2</answer>", "ambiguous")],
)
def test_an_answer_that_cannot_be_read_scores_nothing_and_says_why(action: str, reason: str) -> None:
    turn = episode(Sum()).step(action)
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.status, turn.verdict.reason) == (0.0, "no_answer", reason)
    assert turn.observation == turn.verdict.feedback != ""
    assert (turn.terminated, turn.truncated) == (True, False)


def test_an_action_that_is_too_long_is_answered_and_not_read() -> None:
    e = episode(variant(Sum, max_action_chars=40))
    answer = f"<answer>{e.instance.key}</answer>"
    turn = e.fork().step(" " * (41 - len(answer)) + answer)
    assert turn.verdict is not None
    assert (turn.verdict.reason, turn.verdict.score) == ("too_long", 0.0)
    assert "longer than 40" in turn.observation
    assert e.step(" " * (40 - len(answer)) + answer).verdict.solved  # type: ignore[union-attr]


def test_feedback_and_components_of_the_author_are_kept() -> None:
    verdict = Verdict(score=0.5, solved=False, components={"near": 0.25}, feedback="Close.")
    turn = episode(variant(Sum, grade=lambda self, inst, value: verdict)).step("<answer>1</answer>")
    assert turn.verdict is not None
    assert turn.verdict.components == {"near": 0.25, "format": 1.0}
    assert turn.observation == "Close."
    assert verdict.components == {"near": 0.25}


def test_a_grade_may_ask_the_world_and_is_finished_the_same_way() -> None:
    def grade(self: Any, inst: Instance, value: Any) -> Any:
        out = yield Check("tally", value)
        return Verdict.exact(out.data == 0)

    tally = Tally("none")
    turn = episode(variant(Sum, grade=grade, resources={"tally": tally})).step("\\boxed{5}")
    assert turn.verdict is not None
    assert (turn.verdict.solved, turn.verdict.answer, turn.verdict.components) == (True, "5", {"format": 0.0})
    assert tally.performed == [5]


def test_the_example_of_the_prompt_never_solves_the_problem() -> None:
    class Seventeen(Sum):
        def sample(self, rng: Stream, p: Any) -> Instance:
            key = 16 + rng.below(2)
            return Instance({"xs": [key, rng.bits(40)]}, key)

    keys = Counter(episode(Seventeen(), seed).instance.key for seed in range(40))
    assert keys == {16: 40}
    with pytest.raises(SplitExhausted):
        source(variant(Seventeen, grade=lambda self, inst, value: Verdict.exact(True))).draw(0)


def test_an_answer_format_changes_the_wording_and_nothing_else() -> None:
    tag, boxed = (source(Sum(form)).draw(5)[0] for form in ("tag", "boxed"))
    assert "<answer>17</answer>" in tag.prompt
    assert "\\boxed{17}" in boxed.prompt
    assert (tag.key, tag.problem, tag.fingerprint) == (boxed.key, boxed.problem, boxed.fingerprint)
    assert Sum.answer.form == "tag"
    with pytest.raises(InvalidParameters, match="Did you mean 'boxed'"):
        Sum("boxes")


# -- tools -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environment", [Sum(), Sum("boxed"), Dice(), Staged(), adder()[0]], ids=lambda a: type(a).__name__
)
def test_the_oracle_solves_what_the_author_samples(environment: Any) -> None:
    for seed in range(5):
        e = episode(environment, seed)
        while not e.over:
            e.step(e.oracle())
        verdict = e.turns[-1].verdict
        assert verdict is not None
        assert verdict.solved


@pytest.mark.parametrize("environment", [Sum(), Dice(), adder()[0]], ids=lambda a: type(a).__name__)
def test_a_random_action_is_well_formed(environment: Any) -> None:
    e = episode(environment)
    actions = {environment.random_action(e.instance, e.state, Stream(b"random", i)) for i in range(20)}
    assert len(actions) > 3
    for action in actions:
        verdict = e.fork().step(action).verdict
        assert verdict is None or verdict.status == "graded" or environment.tools


def test_an_author_has_sensible_defaults() -> None:
    class Least(World):
        answer: AnswerType = Integer()

        def sample(self, rng: Stream, p: Any) -> Instance:
            return Instance({"n": rng.bits(30)}, 0)

        def prompt(self, problem: Any) -> str:
            return "?" * 12

        def act(self, inst: Instance, state: Any, value: Any, rng: Stream) -> Turn:
            return Turn(state, "ok")

        def solve(self, inst: Instance, state: Any) -> str:
            return "0"

    environment = Least()
    task, instance = source(environment).draw(0)
    assert environment.Params is BaseParams
    assert task.params == {}
    assert task.tools == ()
    assert environment.effort(instance) == 12.0
    assert episode(environment).state is None
    assert (Least.max_turns, ToolEnv.max_turns, SingleTurn.max_turns) == (64, 16, 1)
    resources: Any = Least.resources
    assert not any(isinstance(r, Resource) for r in resources)

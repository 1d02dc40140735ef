"""A policy proposes tasks and solves them itself: seats, payoffs, and a step of learning from both."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import envhub
from envhub.core.types import Task
from envhub.envs.code.proposer.questions import right_answer
from envhub.envs.code.proposer.templates import CONSTRUCTS, packed, program
from envhub_trainer.episode import Episode
from envhub_trainer.group import Group
from envhub_trainer.hub import LocalHub
from tests.trainer import runs
from tests.trainer.scripted import Scripted, player

pytestmark = pytest.mark.slow
OPTIONS = {"answer_format": "last"}
SELF = {"proposer-v0": {"weight": 1, "opponent": "self", "attempts": 4, "kind": "deduction", "examples": 1}}


def drawn() -> Task:
    return next(islice(envhub.TaskStream(SELF, answer_format="last", seed=0), 1))


def played(task: Task, size: int, knows: int) -> list[Group]:
    """Groups by seat; the solver knows the answer for ``knows`` of every four seeds."""
    env = envhub.begin(task, **OPTIONS)
    proposal = env.solve()
    env.step(proposal)
    state = env.episode.state
    answer = right_answer(state["challenge"], state["values"])

    def say(context: str, seed: int) -> str:
        if "Call: f(" not in context:
            return proposal
        return answer if seed % 4 < knows else "'no idea'"

    policy = Scripted(say, context=30_000)
    return asyncio.run(player(policy, LocalHub(OPTIONS), max_tokens=4_000).groups(4, task, size))


def by_seat(groups: list[Group]) -> dict[int, list[Episode]]:
    return {group.episodes[0].seat or 0: list(group.episodes) for group in groups}


def test_the_proposer_is_paid_for_the_rate_and_every_solver_for_its_answer() -> None:
    seats = by_seat(played(drawn(), 2, knows=2))
    assert sorted(seats) == [0, 1, 2, 3, 4]
    for number, proposer in enumerate(seats[0]):
        solvers = [seats[seat][number].reward for seat in (1, 2, 3, 4)]
        rate = sum(solvers) / 4
        assert proposer.components["rate"] == rate
        assert proposer.reward == proposer.components["learnability"]
        assert (proposer.reward > 0) <= (0 < rate < 1)
    for episode in (episode for episodes in seats.values() for episode in episodes):
        assert not isnan(episode.reward)
        assert episode.error is None
        assert len(episode.turns) == 1


@pytest.mark.nightly
def test_a_solver_sees_its_question_and_not_the_prompt_of_the_proposer() -> None:
    task = drawn()
    for seat, episodes in by_seat(played(task, 2, knows=4)).items():
        for episode in episodes:
            told = episode.turns[0].observation
            assert ("You write tasks" in told or told == task.prompt) == (seat == 0)


@pytest.mark.nightly
def test_a_task_that_everybody_or_nobody_solves_pays_the_proposer_nothing() -> None:
    for knows in (0, 4):
        seats: dict[int, Any] = by_seat(played(drawn(), 2, knows=knows))
        assert [episode.reward for episode in seats[0]] == [0.0, 0.0]


# -- learning ----------------------------------------------------------------------------------------------------------

ARMS = range(0, 64, 8)
FIXED: dict[str, Any] = {
    "proposer-v0": {
        "weight": 1,
        "kind": "deduction",
        "argument": "int",
        "returns": "int",
        "target": 50,
        "constructs": 1,
        "examples": 1,
    }
}


def proposals() -> list[str]:
    """Whole proposals, from ones that most readers solve to ones that few do; all contain every construct."""
    found = []
    for arm in ARMS:
        lines = packed([3 + 7 * at % 90 for at in range(arm)])
        text = program("int", CONSTRUCTS, lines, "r % 997", 5, 2)
        found.append(f"```python\n{text}\n\nf(17)\n```")
    return found


def learned(folder: Path, permuted: bool) -> list[dict[str, float]]:
    """The log of a run with a random model that says whole proposals."""
    folder = folder / f"permuted-{permuted}"
    folder.mkdir()
    runs.model(folder, tokens=runs.speaking(*proposals()))
    config = runs.config(
        folder,
        run={"steps": 24, "save_every": 24},
        tasks={"environments": FIXED, "answer_format": "last", "reward": None},
        rollout={"groups": 2, "size": 8, "max_tokens": 2, "context": 128, "permute_rewards": permuted},
        optimizer={"learning_rate": 5e-3},
    )
    runs.trained(config)
    return [json.loads(line) for line in (config.run.folder / "log.jsonl").read_text().splitlines()]


@pytest.mark.nightly
def test_a_language_model_learns_to_propose_near_the_target(tmp_path: Path) -> None:
    def ends(log: list[dict[str, float]]) -> tuple[float, float]:
        rewards = [row["reward"] for row in log if "reward" in row]
        return fmean(rewards[:6]), fmean(rewards[-6:])

    log = learned(tmp_path, permuted=False)
    first, last = ends(log)
    assert last > first + 0.2
    assert abs(fmean(row["components/rate"] for row in log[-6:]) - 0.5) < 0.15
    start, end = ends(learned(tmp_path, permuted=True))
    assert end < start + 0.15

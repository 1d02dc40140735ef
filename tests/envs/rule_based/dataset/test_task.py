"""A question of a file is a task like any other: its level, its split, its verdict, and nothing that gives it away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import SplitExhausted
from envhub.core.seeding import SPLITS, TaskKey
from envhub.core.types import Verdict
from envhub.envs.rule_based.dataset import Dataset
from envhub.verifiers.answers import final_answer
from envhub.workers.pool import Pool
from tests.envs.rule_based.dataset.questions import key_of, split_of, write

OTHERWISE: dict[str, Callable[[str], str]] = {
    "integer": lambda gold: f"{gold}.0",
    "auto": lambda gold: f"\\frac{{{gold.partition('/')[0]}}}{{997}}",
    "set": lambda gold: "{" + ", ".join(reversed(gold[1:-1].split(", "))) + "}",
    "interval": lambda gold: "{} < x <= {}".format(*gold[1:-1].split(", ")),
    "text": lambda gold: gold.replace("it is", "The word of").upper(),
}
"""The same answers in other forms."""


def test_every_kind_is_judged_by_its_row(many: str) -> None:
    env = envhub.make("dataset-v0", path=many, difficulty=2)
    seen = set()
    for seed in range(40):
        env.reset(seed=seed)
        gold = env.solve().removeprefix("<answer>").removesuffix("</answer>")
        kind = env.episode.instance.key["kind"]
        twin, wrong = env.fork(), env.fork()
        assert env.step(f"<answer>{gold}</answer>")[1] == 1.0
        other = OTHERWISE[kind](gold)
        assert twin.step(f"So it is \\boxed{{{other}}}")[1] == 1.0, (gold, other)
        assert wrong.step(f"<answer>{gold.replace('9', '8').replace('1', '2')}x</answer>")[1] == 0.0
        seen.add(kind)
    assert seen == {"integer", "auto", "set", "interval", "text"}


def test_the_gold_and_its_options_are_nowhere_to_be_seen(many: str) -> None:
    env = envhub.make("dataset-v0", path=many, difficulty=5)
    for seed in range(40):
        observation, info = env.reset(seed=seed)
        key = env.episode.instance.key
        secrets = [key["gold"], *key["options"].get("aliases", [])]
        twin = env.fork()
        after = twin.step("<answer>no idea</answer>")
        public = json.dumps([observation, info, env.task.to_json(), env.snapshot(), *after, twin.snapshot()])
        assert not [secret for secret in secrets if secret in public]
        assert secrets[0] in json.dumps([env.step(env.solve()), env.snapshot()])  # what the policy said is


def test_a_level_is_that_of_its_rows(many: str) -> None:
    for level in (1, 10):
        env = envhub.make("dataset-v0", path=many, difficulty=level)
        env.reset(seed=1)
        assert (env.task.difficulty, env.task.params["level"]) == (level, level)
        assert sum(c in "+,;" for c in env.task.problem["question"]) >= 3 * level - 2
    either = envhub.make("dataset-v0", path=many, difficulty=(2, 9))
    assert len({either.reset(seed=seed)[1]["difficulty"] for seed in range(60)}) == 8
    learning = envhub.make("dataset-v0", path=many, difficulty=envhub.Curriculum())
    assert learning.reset(seed=1)[1]["difficulty"] == 1


def test_without_levels_every_level_has_all_rows_and_level_none_always(few: str, many: str) -> None:
    fingerprints = [
        {
            envhub.make("dataset-v0", path=few, difficulty=level).reset(seed=seed)[0].partition("\n")[0]
            for seed in range(300)
        }
        for level in (1, 9)
    ]
    assert fingerprints[0] == fingerprints[1]
    everything = envhub.make("dataset-v0", path=many, level=None)
    lengths = {len(everything.reset(seed=seed)[0]) // 50 for seed in range(100)}
    assert len(lengths) >= 4


def test_splits_are_of_the_question_however_it_is_written(few: str) -> None:
    questions: dict[str, set[str]] = {}
    for split in SPLITS:
        env = envhub.make("dataset-v0", path=few, split=split, difficulty=None)
        try:
            questions[split] = {env.reset(seed=seed) and env.task.problem["question"] for seed in range(200)}
        except SplitExhausted:
            questions[split] = set()
    assert sum(map(len, questions.values())) == len(set().union(*questions.values()))
    assert len(questions["train"]) >= 30
    shouted = [
        {"prompt": text.upper().replace(" ", "\n "), "answer": 1, "difficulty": 3}
        for text in sorted(questions["train"])
    ]
    other = envhub.make("dataset-v0", path=write(Path("shouted.jsonl"), shouted), split="test")
    with pytest.raises(SplitExhausted):
        other.reset(seed=1)
    environment = Dataset()
    assert environment.canonical("What is 1 23?") != environment.canonical("What is 12 3?")


def test_a_snapshot_goes_on_and_a_key_is_the_task(few: str) -> None:
    env = envhub.make("dataset-v0", path=few, answer_format="boxed")
    env.reset(seed=4)
    snapshot = json.loads(json.dumps(env.snapshot()))
    twin = envhub.restore(snapshot)
    assert twin.task == env.task
    right = env.solve()
    assert twin.step(right) == env.step(right)
    assert envhub.verify(TaskKey.from_json(json.loads(json.dumps(env.task.key.to_json()))), right).solved
    assert envhub.restore(env.snapshot()).snapshot() == env.snapshot()


@pytest.mark.parametrize(
    "response",
    [
        "<answer>1006</answer>",
        r"\boxed{1006.0}",
        "1006",
        "<answer>5 or 3</answer>",
        "",
        "<answer>x</answer> <answer>y</answer>",
    ],
)
def test_the_verdict_is_that_on_a_question_without_a_file(few: str, response: str) -> None:
    env = envhub.make("dataset-v0", path=few)
    env.reset(seed=4)
    gold = env.episode.instance.key["gold"]
    response = response.replace("1006", gold)
    assert envhub.verify(env.task, response) == final_answer.judge(gold, response)
    assert final_answer.judge(gold, response).solved == (gold in response)


@pytest.mark.slow
def test_what_nobody_could_decide_is_asked_of_sympy_in_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(Path("hard.jsonl"), [{"prompt": "What is 2 to the power of 100000?", "answer": "2^{100000}"}])
    key = TaskKey.from_json({**key_of(path), "split": split_of(path)})
    undecided = envhub.verify(key, "<answer>2^{100001}</answer>")
    assert (undecided.score, undecided.status, undecided.components) == (
        0.0,
        "graded",
        {"undecided": 1.0, "format": 1.0},
    )
    asked: list[Any] = []

    judge = Pool.judge

    def answer(self: Any, function: str, payload: Any, **more: Any) -> Verdict:
        asked.append((function, payload))
        return judge(self, function, payload, **more)

    monkeypatch.setattr("envhub.workers.pool.Pool.judge", answer)
    assert envhub.verify(key, "<answer>2^{100001}</answer>").solved is False
    [(function, payload)] = asked
    assert function == final_answer.SYMBOLIC
    options = {"question": "What is 2 to the power of 100000?"}
    assert payload == {"gold": "2^{100000}", "answer": "2^{100001}", "kind": "auto", "options": options}
    assert envhub.verify(key, "<answer>2^{100000}</answer>").solved
    assert len(asked) == 1

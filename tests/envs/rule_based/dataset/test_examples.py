"""The example in a prompt of dataset-v0 fits the question, differs by seed, never solves it, and is the same for every gold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import envhub
from tests.envs.rule_based.dataset.questions import write


def prompts(golds: list[str], name: str = "own.jsonl", **more: Any) -> list[str]:
    """The prompts of some seeds on a file with a question for each gold, whose text does not depend on the golds."""
    rows = [{"prompt": f"What is the value of item {number}?", "answer": gold} for number, gold in enumerate(golds)]
    env = envhub.make("dataset-v0", path=write(Path(name), rows), split="train", **more)
    return [env.reset(seed=seed)[0] for seed in range(30)]


def shown(prompt: str) -> str:
    return prompt.rpartition("<answer>")[2].removesuffix("</answer>")


def test_the_example_fits_the_question_and_differs_by_seed() -> None:
    found = list(map(shown, prompts([str(number) for number in range(40)])))
    assert all(text.isdigit() for text in found)
    assert len(set(found)) > 8
    boxed = prompts([str(number) for number in range(40)], answer_format="boxed")[0]
    assert boxed.splitlines()[-1].startswith("\\boxed{")


def test_the_kind_of_a_gold_that_nobody_declared_changes_no_example() -> None:
    """Other golds make another file, so the draws differ; their forms do not."""
    for golds in ([f"{number}/7" for number in range(40)], ["infinitely many"] * 40, ["(2, 5]"] * 40):
        assert all(shown(prompt).isdigit() for prompt in prompts(golds))


def test_the_example_never_solves_the_task() -> None:
    rows = [{"prompt": f"What is {number} + 11?", "answer": number + 11} for number in range(80)]
    env = envhub.make("dataset-v0", path=write(Path("own.jsonl"), rows), split="train")
    for seed in range(60):
        example = shown(env.reset(seed=seed)[0])
        assert env.step(f"<answer>{example}</answer>")[4]["verdict"]["solved"] is False


def test_a_replayed_task_has_the_same_prompt() -> None:
    rows = [{"prompt": f"What is {number} + 11?", "answer": number + 11} for number in range(80)]
    env = envhub.make("dataset-v0", path=write(Path("own.jsonl"), rows), split="train")
    prompt, _ = env.reset(seed=3)
    assert envhub.begin(env.task).task.prompt == prompt

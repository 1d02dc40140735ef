"""What a demonstrator says becomes the rows that the policy would have left behind."""

from __future__ import annotations

import asyncio
from functools import cache
from itertools import islice
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub_trainer.demonstrations import demonstrate, demonstrator, play
from envhub_trainer.episode import GIVEN, Row
from envhub_trainer.hub import LocalHub
from envhub_trainer.phrases import Conversation
from envhub_trainer.render import Renderer
from tests.trainer.recipes import ADDITION, GUESS
from tests.trainer.scripted import TOKENIZER, Scripted, player
from tests.trainer.tokenizing import FORGETTING, tokenizer

LAST = {"answer_format": "last"}


@cache
def tasks(count: int, which: str = "guess") -> list[Task]:
    environments = {"guess": GUESS, "addition": ADDITION}[which]
    return list(islice(envhub.TaskStream(environments, difficulty=None, seed=3, answer_format="last"), count))


def actions(talk: Conversation) -> list[str]:
    return [message["content"] for message in talk if message["role"] == "assistant"]


def played(name: str, count: int, which: str = "guess", seed: int = 0) -> list[Conversation]:
    rng = Stream(b"test", seed)
    return [talk for task in tasks(count, which) for talk in play(task, demonstrator(name), rng, LAST)]


def solved(name: str, count: int = 200) -> float:
    outcomes = [
        envhub.verify(task, actions(talk), "last").solved
        for task, talk in zip(tasks(count), played(name, count), strict=True)
    ]
    return sum(bool(outcome) for outcome in outcomes) / count


def test_the_oracle_solves_and_the_rule_of_thumb_solves_some() -> None:
    assert solved("oracle") == 1.0
    assert 0.45 < solved("greedy") < 0.7
    assert solved("random") < 0.4
    assert solved("clumsy") < 0.3


def test_a_mixture_is_between_its_ends() -> None:
    assert actions(played("mixed:1", 1)[0]) == actions(played("oracle", 1)[0])
    assert solved("greedy") < solved("mixed:0.5") < solved("oracle")
    assert 0.4 < solved("mixed:0.0") < 0.7
    assert any(actions(talk) != [] for talk in played("mixed:0", 3, "addition"))  # no rule of thumb there: random


def test_slips_are_one_wrong_digit_as_often_as_said() -> None:
    right = [actions(talk)[0] for talk in played("oracle", 200, "addition")]
    said = [actions(talk)[0] for talk in played("slips:0.4", 200, "addition")]
    wrong = [sum(a != b for a, b in zip(one, other, strict=True)) for one, other in zip(right, said, strict=True)]
    assert set(wrong) == {0, 1}
    assert 0.3 < sum(wrong) / 200 < 0.5
    assert all(text.isdigit() for text in said)
    assert [actions(talk)[0] for talk in played("slips:0", 200, "addition")] == right
    slipped = [actions(talk)[0] for talk in played("slips:1", 200, "addition")]
    assert all(one != other for one, other in zip(right, slipped, strict=True))


def test_a_conversation_begins_with_the_prompt_and_ends_with_an_action() -> None:
    for task, talk in zip(tasks(20), played("greedy", 20), strict=True):
        assert talk[0] == {"role": "user", "content": task.prompt}
        assert [message["role"] for message in talk] == ["user", "assistant"] * (len(talk) // 2)


def test_options_word_the_conversation() -> None:
    [talk] = play(tasks(1)[0], demonstrator("oracle"), Stream(b""), {"answer_format": "tag", "system": "Be brief."})
    assert talk[0] == {"role": "system", "content": "Be brief."}
    assert "<answer>" in talk[1]["content"]
    assert "<answer>" in talk[2]["content"]


def test_the_same_randomness_says_the_same() -> None:
    assert played("greedy", 10, seed=1) == played("greedy", 10, seed=1)
    assert played("greedy", 10, seed=1) != played("greedy", 10, seed=2)


@pytest.mark.parametrize("template", [None, FORGETTING])
def test_rows_are_those_that_a_policy_leaves_which_says_the_same(template: str | None) -> None:
    """Also where the template shows earlier turns differently, so that there are several rows."""
    tokens = TOKENIZER if template is None else tokenizer(template)
    for task, talk in zip(tasks(8), played("greedy", 8), strict=True):
        rows = demonstrate(task, _saying(actions(talk)), Stream(b""), Renderer(tokens), LAST)
        said = iter(actions(talk))
        policy = Scripted(lambda context, seed, said=said: next(said), tokens=tokens)  # type: ignore[misc]
        episode = asyncio.run(player(policy, LocalHub(LAST)).groups(0, task, 1))[0].episodes[0]
        assert [(row.ids, row.mask, row.ends) for row in rows] == [
            (row.ids, row.mask, row.ends) for row in episode.rows
        ]
        assert {version for row in rows for version in row.versions} == {GIVEN}


def test_a_template_that_rewrites_makes_a_row_a_turn_that_teaches_only_this_turn() -> None:
    """Thoughts are dropped from the past, so every turn is its own context."""
    tokens = tokenizer(FORGETTING)
    task, talk = next(both for both in zip(tasks(20), played("greedy", 20), strict=True) if len(actions(both[1])) > 2)
    thinking = _saying([f"<think>hm</think>{action}" for action in actions(talk)])
    rows = demonstrate(task, thinking, Stream(b""), Renderer(tokens), LAST)
    assert len(rows) == len(actions(talk))
    assert all(tokens.decode(_masked(row)).startswith("<think>hm</think>") for row in rows)
    assert all(tokens.decode(row.ids).count("<think>") == 1 for row in rows)


def test_only_the_demonstrators_tokens_and_its_end_token_are_learned() -> None:
    (row,) = demonstrate(tasks(1, "addition")[0], demonstrator("oracle"), Stream(b""), Renderer(TOKENIZER), LAST)
    [talk] = play(tasks(1, "addition")[0], demonstrator("oracle"), Stream(b""), LAST)
    (answer,) = actions(talk)
    assert TOKENIZER.decode(_masked(row)) == f"{answer}<|im_end|>"
    assert row.ends == [len(row.ids) - 1]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("orakle", "No demonstrator 'orakle'; there are oracle, greedy, random, clumsy, mixed:SHARE and slips:SHARE"),
        ("mixed:1.5", "share is a number from 0 to 1"),
        ("mixed:", "share is a number from 0 to 1"),
        ("mixed", "share is a number from 0 to 1"),
        ("slips:-1", "share is a number from 0 to 1"),
        ("slipping:0.5", "No demonstrator 'slipping:0.5'"),
    ],
)
def test_an_unknown_demonstrator_is_refused(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        demonstrator(name)


def test_a_rule_of_thumb_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="arithmetic-v0 has no rule of thumb"):
        played("greedy", 1, "addition")


def _saying(said: list[str]) -> Any:
    left = iter(said)
    return lambda env, rng: next(left)


def _masked(row: Row) -> list[int]:
    return [id for id, mask in zip(row.ids, row.mask, strict=True) if mask]

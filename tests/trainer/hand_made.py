"""Groups of episodes written by hand, and a tokenizer of which every token is a letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envhub.core.seeding import TaskKey
from envhub.core.types import Task
from envhub_trainer.episode import Episode, Row, Turn
from envhub_trainer.group import Group


def episode(
    *rewards: float,
    env_id: str = "a-v0",
    group: int = 0,
    answer: str = "xy",
    version: int = 0,
    solved: bool | None = True,
    error: str | None = None,
    new_rows: bool = False,
    **more: Any,
) -> Episode:
    """An episode with a turn a reward: two tokens given (``>>``), then an answer of letters, log-probability -0.5 each."""
    made = Episode(env_id, 3, {"env_id": env_id, "seed": 1}, group, solved=solved, error=error, **more)
    for number, reward in enumerate(rewards):
        if new_rows or not made.rows:
            made.rows.append(Row())
        row = made.rows[-1]
        row.give(ids(">>"))
        row.take(ids(answer), [-0.5] * len(answer), [version] * len(answer))
        if reward == reward:
            row.pay(reward)
        made.turns.append(Turn(f"question {number}", answer, reward, len(made.rows) - 1, row.ends[-1]))
    return made


def group(number: int, *episodes: Episode, greedy: Episode | None = None) -> Group:
    """A group of episodes, which take its number."""
    task = Task(TaskKey("a-v0", {}, "train", 1), 3, "", None, "")
    for each in episodes:
        each.group = number
    return Group(number, task, list(episodes), greedy)


def ids(text: str) -> list[int]:
    """The tokens of a text under :class:`Letters`."""
    return [ord(letter) for letter in text]


class Letters:
    """Every character is a token with its code point as id."""

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return ids(text)

    def decode(
        self, tokens: Sequence[int], skip_special_tokens: bool = True, clean_up_tokenization_spaces: bool = True
    ) -> str:
        assert not skip_special_tokens
        return "".join(map(chr, tokens))

"""Warm starts on conversations of our own choice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmarks.learning.experiment import changed
from envhub.core.seeding import Stream
from envhub_trainer.config import Config, TasksConfig
from envhub_trainer.demonstrations import Demonstrator, play
from envhub_trainer.phrases import Conversation
from envhub_trainer.setup import task_stream
from envhub_trainer.tiny import build_model, build_tokenizer, save
from envhub_trainer.warmstart import warm_start

_CORPUS: Final = 160
"""Number of conversations of each kind for the tokenizer, whose search for phrases is slow."""


def warm_start_on(
    config: Config,
    kinds: Sequence[Sequence[Conversation]],
    changes: Mapping[str, Mapping[str, Any]] | None = None,
    wording: Callable[[str], str] = str,
) -> None:
    """Make the initial model of a run from conversations.

    Args:
        config: Settings of the run, with a section ``tiny``.
        kinds: Conversations of several kinds. The tokenizer sees as many of each.
        changes: Settings of the warm start that differ from those of the run.
        wording: What the tokenizer sees of a message. No phrase, which is one token, may contain what varies between tasks.
    """
    assert config.tiny is not None
    context = config.rollout.context
    base = Path(config.model.path + "-base")
    corpus = [
        [{**said, "content": wording(said["content"])} for said in chat] for kind in kinds for chat in kind[:_CORPUS]
    ]
    tokenizer = build_tokenizer(corpus, config.tiny, context)
    save(base, build_model(tokenizer, config.tiny, config.run.seed, context), tokenizer)
    data = base / "chats.jsonl"
    data.write_text("".join(json.dumps({"messages": list(chat)}) + "\n" for kind in kinds for chat in kind))
    plain = Config.model_validate(config.model_dump(mode="json") | {"tiny": None})
    asyncio.run(warm_start(changed(plain, {"warmstart": {"data": str(data), "base": str(base)}}, changes or {}), print))


def conversations(tasks: TasksConfig, says: Demonstrator, number: int, seed: int) -> Iterator[Conversation]:
    """Conversations of a demonstrator, one per task and seat."""
    rng = Stream(b"conversations", seed)
    options = {"answer_format": tasks.answer_format, "wording": tasks.wording}
    given = {name: value for name, value in options.items() if value is not None}
    for task in islice(task_stream(tasks, "train", seed), number):
        yield from play(task, says, rng, given)

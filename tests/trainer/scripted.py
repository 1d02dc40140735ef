"""A policy that says what a script tells it, so that what a rollout makes of it can be checked to the token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from torch import nn

from envhub.core.types import Task
from envhub_trainer.policy import Completion, PolicyError, Sampling
from envhub_trainer.render import Renderer
from envhub_trainer.rollout import Player
from tests.trainer.tokenizing import tokenizer

TOKENIZER = tokenizer()
RENDERER = Renderer(TOKENIZER)
END: int = TOKENIZER.convert_tokens_to_ids("<|im_end|>")


class Scripted:
    """Answers a context with ``say(text of the context, seed)``; log-probabilities are -1, -2, -3 ...

    ``say`` may give None to raise PolicyError.
    """

    def __init__(self, say: Callable[[str, int], str | None], context: int = 10_000, tokens: Any = TOKENIZER) -> None:
        self._say = say
        self._tokens = tokens
        self.context = context
        self.version = 0
        self.asked: list[list[int]] = []
        self.seeds: list[int] = []
        self.temperatures: list[float] = []

    async def generate(self, ids: Sequence[int], sampling: Sampling, seed: int) -> Completion:
        self.asked.append(list(ids))
        self.seeds.append(seed)
        self.temperatures.append(sampling.temperature)
        await asyncio.sleep(0)
        text = self._say(self._tokens.decode(ids), seed)
        if text is None:
            raise PolicyError("scripted")
        said = [*self._tokens.encode(text, add_special_tokens=False), END][: sampling.max_tokens]
        said = said[: self.context - len(ids)]
        return Completion(
            said, [-1.0 - i for i in range(len(said))], [self.version] * len(said), bool(said) and said[-1] == END
        )

    async def sync(self, model: nn.Module, version: int) -> None:
        self.version = version

    async def confidence(self, episodes: Any) -> Any:
        raise PolicyError("scripted")

    async def forget(self) -> None:
        pass

    async def close(self) -> None:
        pass


def player(policy: Scripted, hub: Any, max_tokens: int = 100, **more: Any) -> Player:
    return Player(policy, hub, policy._tokens, Sampling(max_tokens), **more)


def answer_of(task: Task) -> int:
    """The secret of a guess-number task: what its oracle ends with."""
    import envhub

    env = envhub.begin(task)
    over = False
    while not over:
        action = env.solve()
        _, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
    env.close()
    return int("".join(c for c in action if c.isdigit()))

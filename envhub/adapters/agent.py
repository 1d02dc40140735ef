"""Trainers that run your agent against their chat endpoint (AReaL, rLLM, agent-lightning): the agent is :func:`play`.

The trainer records what its endpoint answers; the agent only has to ask it, turn by turn, and to say what the episode earned::

    client = AsyncOpenAI(base_url=..., api_key=...)                   # what the trainer hands over
    reward = await play(row["ground_truth"], speaker(client), prompt=row["prompt"])

What is handed on where an answer could not be judged: nothing; :class:`JudgementError` is raised, and the agent should let it
pass. What the trainer makes of an agent that fails stands in ``docs/trainers.md``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from envhub.adapters.shared.episodes import Episodes
from envhub.core.errors import InvalidParameters

Messages = list[dict[str, str]]
Say = Callable[[Messages], Awaitable[str]]


def speaker(client: Any, model: str = "default", **sampling: Any) -> Say:
    """The policy behind an OpenAI client.

    Args:
        client: An ``AsyncOpenAI``, or whatever has its ``chat.completions.create``.
        model: As the endpoint calls it.
        sampling: Handed to every request: ``temperature``, ``max_tokens`` ...
    """

    async def say(messages: Messages) -> str:
        answer = await client.chat.completions.create(model=model, messages=messages, **sampling)
        return answer.choices[0].message.content or ""

    return say


async def play(
    ground_truth: str,
    say: Say,
    *,
    prompt: Sequence[dict[str, str]] | None = None,
    answer_format: str | None = None,
    episodes: Episodes | None = None,
) -> float:
    """Play the episode of a row to its end; of one turn or of several.

    Args:
        ground_truth: The row's.
        say: What the policy says to the messages so far.
        prompt: The row's; without it the first observation is a message of the user.
        answer_format: The row's.
        episodes: On a server, or with options: ``Episodes(url, reward={...})``; here and by accuracy if not given.

    Returns:
        What the episode earned.

    Raises:
        InvalidParameters: The ground truth is none, or draws another problem than the prompt asks.
        JudgementError: An answer could not be judged, or the server could not be reached.
    """
    begun_by = Episodes() if episodes is None else episodes
    episode = await asyncio.to_thread(begun_by.begin, ground_truth, answer_format)
    try:
        messages = [{"role": "user", "content": episode.opening}] if prompt is None else list(prompt)
        if episode.opening not in (message["content"] for message in messages):
            raise InvalidParameters("The row's ground truth draws another problem than its prompt asks.")
        while not episode.over:
            said = await say(list(messages))
            observation = await asyncio.to_thread(episode.step, said)
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": observation}]
        return episode.demanded()
    finally:
        await asyncio.to_thread(episode.close)

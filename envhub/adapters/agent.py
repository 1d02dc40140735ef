"""Agent for trainers with a chat endpoint (AReaL, rLLM, agent-lightning): :func:`play`.

The trainer records the responses of its endpoint; the agent calls it turn by turn and returns the reward of the episode::

    client = AsyncOpenAI(base_url=..., api_key=...)                   # from the trainer
    reward = await play(row["ground_truth"], speaker(client), prompt=row["prompt"])

If an action could not be judged, it raises :class:`JudgementError`, which the agent should not catch. ``docs/trainers.md``
describes what each trainer does when an agent fails.
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
        client: An ``AsyncOpenAI``, or any object with its ``chat.completions.create``.
        model: Name of the model at the endpoint.
        sampling: Passed to every request: ``temperature``, ``max_tokens`` ...
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
    wording: str | None = None,
    episodes: Episodes | None = None,
) -> float:
    """Play the episode of a row to its end.

    Args:
        ground_truth: Ground truth of the row.
        say: Returns the policy's response to the messages so far.
        prompt: Prompt of the row; without it the first observation is sent as a user message.
        answer_format: Answer format of the row.
        wording: Wording of the row.
        episodes: Where and how to play: ``Episodes(url, reward={...})``; by default in this process, by accuracy.

    Returns:
        The reward of the episode.

    Raises:
        InvalidParameters: The ground truth is not valid, or draws a different problem than the prompt's.
        JudgementError: An action could not be judged, or the server could not be reached.
    """
    begun_by = Episodes() if episodes is None else episodes
    episode = await asyncio.to_thread(begun_by.begin, ground_truth, answer_format, None, wording)
    try:
        messages = [{"role": "user", "content": episode.opening}] if prompt is None else list(prompt)
        if episode.opening not in (message["content"] for message in messages):
            raise InvalidParameters("The row's ground truth draws a different problem than its prompt.")
        while not episode.over:
            said = await say(list(messages))
            observation = await asyncio.to_thread(episode.step, said)
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": observation}]
        return episode.require_reward()
    finally:
        await asyncio.to_thread(episode.close)

"""Who is evaluated: anything that goes on with a conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from envhub.core.types import JSON
from envhub.verifiers.judge.endpoint import AsyncConnection, Chat, Endpoint, Said

Messages = Sequence[JSON]


class Player(Protocol):
    """Goes on with conversations, many at a time; used in an ``async with``.

    ``name`` is what reports call it. A :class:`envhub.core.errors.ResourceError` from :meth:`reply` says that it
    failed, which is not a wrong answer.
    """

    name: str

    async def reply(self, messages: Messages, tools: Sequence[JSON], attempt: int) -> Said:
        """The next message; ``attempt`` may seed the sampling."""
        ...

    async def __aenter__(self) -> Self:
        """Make ready."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Give up what is held."""
        ...


class EndpointPlayer:
    """A model behind an OpenAI-compatible endpoint.

    Args:
        endpoint: Where it is, and how it is asked.
        name: What reports call it; the model's name if not given.
    """

    def __init__(self, endpoint: Endpoint, name: str | None = None) -> None:
        self.name = name or endpoint.model
        self._endpoint = endpoint
        self._connection: AsyncConnection | None = None

    async def reply(self, messages: Messages, tools: Sequence[JSON], attempt: int) -> Said:
        """The model's next message.

        Raises:
            ResourceError: The endpoint failed, also when it was asked again.
        """
        assert self._connection is not None, "a player is used in an async with"
        return await self._connection.chat(Chat(messages, tools))

    async def __aenter__(self) -> Self:
        self._connection = await self._endpoint.aconnect().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._connection is not None:
            await self._connection.__aexit__(kind, error, at)


@dataclass
class Conversation:
    """The messages of an attempt, in the form that whoever plays has them.

    Attributes:
        messages: Until now.
    """

    messages: list[JSON]

    def said(self, said: Said) -> str:
        """Note what the model said; the action that it means."""
        if not said.tool_calls:
            self.messages.append({"role": "assistant", "content": said.content})
            return said.content
        calls = [dict(call) if isinstance(call, dict) else {} for call in said.tool_calls]
        calls = [{"id": f"call_{number}", "type": "function", **call} for number, call in enumerate(calls)]
        self.messages.append({"role": "assistant", "content": said.content, "tool_calls": calls})
        return json.dumps({"tool_calls": calls})

    def heard(self, observation: str) -> None:
        """Note what the environment answered: to a call, or as the user."""
        calls = self.messages[-1].get("tool_calls", [])
        for call in calls[:-1]:  # the protocol wants an answer for each; the environment gives one for all
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": "See the next answer."})
        if calls:
            self.messages.append({"role": "tool", "tool_call_id": calls[-1]["id"], "content": observation})
        else:
            self.messages.append({"role": "user", "content": observation})

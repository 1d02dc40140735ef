"""Players: models, or anything else that continues a conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from envhub.core.types import JSON
from envhub.scenes.picture import Picture, content, plain
from envhub.verifiers.judge.endpoint import AsyncConnection, Chat, Endpoint, Said

Messages = Sequence[JSON]


class Player(Protocol):
    """Continues conversations, several concurrently; used in an ``async with``.

    ``name`` appears in reports. :meth:`reply` raises :class:`envhub.core.errors.ResourceError` if it failed, which does
    not count as a wrong answer.
    """

    name: str

    async def reply(self, messages: Messages, tools: Sequence[JSON], attempt: int) -> Said:
        """The next message; ``attempt`` may seed the sampling."""
        ...

    async def __aenter__(self) -> Self:
        """Prepare the player."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Release its resources."""
        ...


class EndpointPlayer:
    """A model behind an OpenAI-compatible endpoint.

    Args:
        endpoint: Address and request settings.
        name: Name in reports; defaults to the model's name.
    """

    def __init__(self, endpoint: Endpoint, name: str | None = None) -> None:
        self.name = name or endpoint.model
        self._endpoint = endpoint
        self._connection: AsyncConnection | None = None

    async def reply(self, messages: Messages, tools: Sequence[JSON], attempt: int) -> Said:
        """The model's next message.

        Raises:
            ResourceError: The endpoint failed, after all retries.
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
    """The messages of an attempt, in the player's format.

    Attributes:
        messages: Messages so far, as they are recorded: with a mark in place of each picture.
        sent: The same messages with the pictures.
    """

    messages: list[JSON]
    sent: list[JSON] = field(init=False)

    def __post_init__(self) -> None:
        self.sent = list(self.messages)

    def said(self, said: Said) -> str:
        """Record the model's message; returns its action."""
        if not said.tool_calls:
            self._add({"role": "assistant", "content": said.content})
            return said.content
        calls = [dict(call) if isinstance(call, dict) else {} for call in said.tool_calls]
        calls = [{"id": f"call_{number}", "type": "function", **call} for number, call in enumerate(calls)]
        self._add({"role": "assistant", "content": said.content, "tool_calls": calls})
        return json.dumps({"tool_calls": calls})

    def heard(self, observation: str, pictures: Sequence[Picture] = ()) -> None:
        """Record the environment's message: the response to a call, or the user's."""
        calls = self.messages[-1].get("tool_calls", []) if self.messages else []
        for call in calls[:-1]:  # the protocol needs a response per call; the environment gives one for all
            self._add({"role": "tool", "tool_call_id": call["id"], "content": "See the next answer."})
        said = {"role": "tool", "tool_call_id": calls[-1]["id"]} if calls else {"role": "user"}
        shown = content(observation, pictures)
        self.messages.append({**said, "content": plain(shown)})
        self.sent.append({**said, "content": shown})

    def _add(self, message: JSON) -> None:
        self.messages.append(message)
        self.sent.append(message)

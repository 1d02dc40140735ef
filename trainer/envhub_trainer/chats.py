"""Chats from files as rows of tokens, for supervised learning.

::

    for chat in read(Path("chats.jsonl")):
        rows(renderer_of(chat.tools), chat.messages)        # mask 1 on assistant messages and the token that ends each

A line of the file is a JSON object of one of these kinds:

- ``messages``: a chat of any source, with optional ``tools``; messages have ``role`` and ``content`` and may have
  ``tool_calls``. Of an evaluation's ``attempts.jsonl``, only solved attempts are read.
- ``prompt`` (messages or a text) with ``completion`` (messages or a text) or ``solution`` (a list with one action), as
  written by ``envhub generate --with-solutions``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envhub_trainer.config import ConfigError
from envhub_trainer.episode import GIVEN, Row
from envhub_trainer.render import Messages, Renderer


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation to learn from.

    Attributes:
        messages: Its messages; the assistant's are learned.
        tools: Function schemas that the template shows.
    """

    messages: Messages
    tools: Sequence[Mapping[str, Any]] = ()


def read(path: Path) -> Iterator[Chat]:
    """Read a file's chats in order; ConfigError if one is invalid."""
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield from _chats(line, f"{path}, line {number}")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None


def rows(renderer: Renderer, messages: Messages) -> list[Row]:
    """The rows of a chat: several where the template rewrites earlier messages."""
    found: list[Row] = []
    told = ""  # the text of the last row
    for at, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        text = renderer.shown(messages[:at])
        if not found or not text.startswith(told):
            found.append(Row())
            told = ""
        found[-1].give(renderer.ids(text[len(told) :], messages))
        said = renderer.written(messages[: at + 1])
        ids = [*renderer.ids(said, messages), *renderer.ids(renderer.end, ())]
        found[-1].take(ids, [0.0] * len(ids), [GIVEN] * len(ids))
        told = text + said + renderer.end
    return found


def _chats(line: str, place: str) -> Iterator[Chat]:
    """The chat of a line; an evaluation's head and failures have none."""
    try:
        value = json.loads(line)
    except ValueError:
        raise ConfigError(f"{place}: expected a JSON object, got {line.strip()[:60]!r}.") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected a JSON object, got {line.strip()[:60]!r}.")
    value = {**(value.get("extra_info") or {}), **value}  # rows for verl have the solution there
    if "player" in value and "messages" not in value:
        return
    if "job" in value and value.get("solved") is not True:
        return
    messages = [*_messages(value), *_completion(value)]
    for number, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise ConfigError(f"{place}: message {number} must have a role and a content, got {str(message)[:60]!r}.")
        message["content"] = message.get("content") or ""
        if not isinstance(message["content"], str):
            raise ConfigError(f"{place}: the content of message {number} must be a text.")
    roles = [message["role"] for message in messages]
    if "assistant" not in roles[1:]:
        raise ConfigError(
            f"{place}: a chat has a message of the assistant after another; found {roles or sorted(value)}."
        )
    tools = value.get("tools") or ()
    yield Chat(messages, json.loads(tools) if isinstance(tools, str) else tools)


def _messages(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a line, or its prompt."""
    found = value.get("messages", value.get("prompt", []))
    return [{"role": "user", "content": found}] if isinstance(found, str) else list(found)


def _completion(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The answer to a prompt."""
    found = value.get("completion", value.get("solution"))
    if "messages" in value or found is None:
        return []
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], str):
        found = found[0]
    return [{"role": "assistant", "content": found}] if isinstance(found, str) else list(found)

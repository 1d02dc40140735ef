"""Renders conversations to token ids; tokens are never converted back.

::

    renderer = Renderer(tokenizer)
    row.give(renderer.opening(messages))                    # the prompt, up to where the policy writes
    row.give(renderer.between(row.ids[-1], observation))    # from the end of its action to where it writes the next one

Only the text *between* turns is rendered, using the chat template's own text there, so no template sees sampled text and
nothing is tokenised twice. Some templates rewrite earlier turns (they drop ``<think>``). The renderer detects this when it is
created; :attr:`Renderer.rewrites` is then True and every turn needs its own context, rendered as a whole.

A special token spelled out in a message is encoded as text, not as a token: a policy cannot open a turn through an
environment that repeats its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jinja2 import TemplateError as JinjaError

from envhub.core.types import Task
from envhub.scenes.picture import Picture
from envhub_trainer.config import PLAIN, ChatConfig
from envhub_trainer.vision import Vision

_ASKED: Final = "\ue000asked\ue001"
_SAID: Final = "\ue000said\ue001"
_TOLD: Final = "\ue000told\ue001"
_THOUGHT: Final = f"<think>\n\ue000thought\ue001\n</think>\n\n{_SAID}"

_PLACEHOLDER: Final = "(\ue000\\d+\ue001)"

Messages = Sequence[Mapping[str, Any]]


class TemplateError(ValueError):
    """A chat template does not do what multi-turn training needs."""


class Renderer:
    """Renders conversations with one tokenizer and one set of tools.

    Args:
        tokenizer: A Hugging Face tokenizer with a chat template.
        tools: Function schemas that the template shows in every conversation.
        chat: Arguments of the template, and the role of tools' results.

    Attributes:
        end_ids: The tokens that end the policy's turn.
        role: Role of the environment's messages after the first.
        rewrites: Whether the template shows earlier turns of the policy differently from what it wrote.

    Raises:
        TemplateError: There is no chat template, it omits messages, or it does not end the policy's turn with a token.
    """

    def __init__(self, tokenizer: Any, tools: Sequence[Mapping[str, Any]] = (), chat: ChatConfig = PLAIN) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise TemplateError("The tokenizer has no chat template; set tokenizer.chat_template.")
        self._tokenizer = tokenizer
        self._tools = [dict(tool) for tool in tools] or None
        self._options = dict(chat.template_kwargs)
        self.role = chat.tool_role if tools else "user"
        specials = sorted(tokenizer.all_special_tokens, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, specials)) or r"(?!)")
        self._vision: Vision | None = getattr(tokenizer, "vision", None)
        self._shown = tokenizer.convert_ids_to_tokens(self._vision.token) if self._vision else None
        self._around = cache(self._around_what_is_told)
        ids = self._encode(self._around(0)[0])
        self._end = ids[0] if ids else -1
        if self._end not in tokenizer.all_special_ids:
            raise TemplateError(
                f"After the policy's turn the template continues with {self._around(0)[0][:24]!r}. It must begin with "
                "a special token, which ends the policy's turn."
            )
        self.end_ids: frozenset[int] = frozenset({self._end, tokenizer.eos_token_id} - {None})
        self.rewrites = _THOUGHT not in self._apply([_user(_ASKED), _assistant(_THOUGHT), self._heard(_TOLD)])

    def opening(self, messages: Messages) -> list[int]:
        """The ids of a conversation up to where the policy writes next."""
        images = [image for message in messages for image in message.get("images", ())]
        return self._pictured(self.shown(messages), images, lambda text: self.ids(text, messages))

    def shown(self, messages: Messages) -> str:
        """The text of a conversation up to where the policy writes next.

        A message that spells out a special token is replaced by a placeholder, which :meth:`ids` encodes as text.
        """
        return self._apply(self._spoken(messages))

    def written(self, messages: Messages) -> str:
        """The text of the last message as the policy writes it.

        Without the token that ends its turn.

        Tool calls and other fields are written as the template shows them.

        Raises:
            TemplateError: The template shows the fields outside of the policy's turn.
        """
        *before, last = self._spoken(messages)
        if set(last) <= {"role", "content"}:
            return str(last["content"])
        whole = self._apply([*before, last], prompt=False)
        head, _, tail = self._apply([*before, _assistant(_SAID)], prompt=False).partition(_SAID)
        if not whole.startswith(head) or not whole.endswith(tail):
            raise TemplateError(f"The chat template does not show {', '.join(sorted(last))} in one piece.")
        return whole[len(head) : len(whole) - len(tail)]

    def ids(self, text: str, messages: Messages) -> list[int]:
        """The ids of a part of a conversation's shown text."""
        spoken = {_placeholder(number): message["content"] for number, message in enumerate(messages)}
        parts = re.split(_PLACEHOLDER, text)
        return [id for part in parts for id in (self._spelled(spoken[part]) if part in spoken else self._encode(part))]

    @property
    def end(self) -> str:
        """The text of the token that ends the policy's turn."""
        return str(self._tokenizer.convert_ids_to_tokens(self._end))

    def _spoken(self, messages: Messages) -> list[dict[str, Any]]:
        """The messages, with placeholders for those that spell out a special token."""
        found = []
        for number, message in enumerate(messages):
            said = _placeholder(number) if self._special.search(message["content"]) else message["content"]
            images = message.get("images", ())
            kept = {name: value for name, value in message.items() if name != "images"}
            found.append({**kept, "content": _parts(said, len(images)) if images else said})
        return found

    def _pictured(self, text: str, images: Sequence[Picture], ids: Callable[[str], list[int]]) -> list[int]:
        """The ids of a text in which the template shows pictures."""
        if not images:
            return ids(text)
        first, *rest = text.split(self._shown) if self._shown else [text]
        if self._vision is None or len(rest) != len(images):
            raise TemplateError(
                f"There are {len(images)} pictures, and the template or the model shows {len(rest)} of them. Choose a "
                "vision-language model of the Qwen2-VL kind, or set tasks.observation to 'text'."
            )
        parts = zip(images, rest, strict=True)
        return [*ids(first), *(id for image, after in parts for id in [*self._vision.read(image), *ids(after)])]

    def between(self, last: int, observation: str, images: Sequence[Picture] = ()) -> list[int]:
        """The ids between an action and the next one.

        They end where the policy writes.

        Args:
            last: The last token the policy sampled; if it is not the template's end of a turn, the result begins with that.
            observation: The environment's observation.
            images: Its pictures.
        """
        head, tail = self._around(len(images))
        if self._special.search(observation):
            ids = [*self._encode(head), *self._spelled(observation), *self._pictured(tail, images, self._encode)]
        else:
            ids = self._pictured(head + observation + tail, images, self._encode)
        return ids[1:] if last == self._end else ids

    def said(self, action: str) -> list[int]:
        """The ids of an action that was not sampled, with its end."""
        return [*(self._spelled(action) if self._special.search(action) else self._encode(action)), self._end]

    def text(self, ids: Sequence[int]) -> str:
        """The action as text, without its end token, special tokens spelled out."""
        said = ids[:-1] if ids and ids[-1] in self.end_ids else ids
        text: str = self._tokenizer.decode(list(said), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return text

    def _around_what_is_told(self, pictures: int) -> tuple[str, str]:
        told = {**self._heard(_TOLD), **({"content": _parts(_TOLD, pictures)} if pictures else {})}
        text = self._apply([_user(_ASKED), _assistant(_SAID), told])
        before, said, after = text.partition(_SAID)
        head, shown, tail = after.partition(_TOLD)
        if not said or not shown or _ASKED not in before:
            raise TemplateError("The chat template does not show every message of a conversation.")
        return head, tail

    def _heard(self, text: str) -> dict[str, str]:
        return {"role": self.role, "content": text}

    def _apply(self, messages: Messages, prompt: bool = True) -> str:
        try:
            text: str = self._tokenizer.apply_chat_template(
                [dict(message) for message in messages],
                tools=self._tools,
                tokenize=False,
                add_generation_prompt=prompt,
                **self._options,
            )
        except JinjaError as error:
            roles = ", ".join(message["role"] for message in messages)
            raise TemplateError(f"The chat template rejects a conversation with the roles {roles}: {error}") from None
        return text

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _spelled(self, text: str) -> list[int]:
        """The ids of a text, with special tokens encoded as plain text."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
        return ids


class Renderers:
    """The renderers of one tokenizer, cached by environment.

    The last one of every environment is kept, since most have the same tools in every task.

    Args:
        tokenizer: A Hugging Face tokenizer with a chat template.
        chat: As for :class:`Renderer`.
    """

    def __init__(self, tokenizer: Any, chat: ChatConfig = PLAIN) -> None:
        self._tokenizer, self._chat = tokenizer, chat
        self._kept: dict[str, tuple[Sequence[Any], Renderer]] = {}

    def of(self, task: Task) -> Renderer:
        """The renderer for a task's tools; TemplateError from an unsuitable template."""
        kept = self._kept.get(task.env_id)
        if kept is None or kept[0] != task.tools:
            kept = self._kept[task.env_id] = task.tools, Renderer(self._tokenizer, task.tools, self._chat)
        return kept[1]


def _placeholder(number: int) -> str:
    return f"\ue000{number}\ue001"


def _parts(text: str, pictures: int) -> list[dict[str, str]]:
    """The content of a message with pictures, for a template."""
    return [{"type": "text", "text": text}, *({"type": "image"} for _ in range(pictures))]


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}

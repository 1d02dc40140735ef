"""The chat messages of a game.

One conversation, in self-play one per seat.

::

    talk = Talk(task, system="Be brief.")
    while not over:
        action = answer(talk.messages)          # of the current seat; nothing that only others saw
        told, _, terminated, truncated, info = env.step(action)
        talk.say(action)
        over = terminated or truncated
        if not over:
            talk.hear(told, info)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from envhub.core.types import Task
from envhub.scenes.picture import Picture

Message = dict[str, Any]
"""``role``, ``content`` (text) and, if there are pictures, ``images``."""


def self_play(task: Task) -> bool:
    """Whether the policy plays every seat."""
    return task.params.get("opponent") == "self"


class Talk:
    """The conversations of a game in progress.

    Args:
        task: The game's task.
        system: System message of every conversation.
        role: Role of the observations after the first.
        images: The pictures of the task's prompt.

    Attributes:
        at: The seat to move; None unless the policy plays itself.
    """

    def __init__(
        self, task: Task, system: str | None = None, role: str = "user", images: Sequence[Picture] = ()
    ) -> None:
        self._task, self._system, self._role = task, system, role
        self._alone = self_play(task)
        self.at: int | None = task.opening_info().get("player") if self._alone else None
        self._said = {self.at: self._opening(task.prompt, images)}

    @property
    def messages(self) -> list[Message]:
        """The conversation of the seat to move, with the message to answer."""
        return self._said[self.at]

    @property
    def conversations(self) -> list[list[Message]]:
        """All conversations, in the order in which they began."""
        return list(self._said.values())

    def copy(self) -> Talk:
        """An independent copy."""
        twin = copy(self)
        twin._said = {at: list(messages) for at, messages in self._said.items()}
        return twin

    def say(self, action: str) -> None:
        """Record the action of the current seat."""
        self.messages.append({"role": "assistant", "content": action})

    def hear(self, told: str, info: Mapping[str, Any]) -> None:
        """Record an observation for the seat that moves next.

        Args:
            told: The observation.
            info: The step's info, which names the seat to move.
        """
        self.at = info.get("player") if self._alone else None
        images = info.get("images", ())
        if self.at in self._said:
            self.messages.append(heard(self._role, told, images))
        else:
            self._said[self.at] = self._opening(self._task.opening_for(told), images)

    def _opening(self, told: str, images: Sequence[Picture]) -> list[Message]:
        system = [{"role": "system", "content": self._system}] if self._system is not None else []
        return [*system, heard("user", told, images)]


def heard(role: str, content: str, images: Sequence[Picture] = ()) -> Message:
    """The message of an observation."""
    return {"role": role, "content": content, **({"images": images} if images else {})}
